/// The lifetime of an object: whatever is bound to it is cancelled when it ends.
///
///     final class Screen {
///         let lifetime = Lifetime()
///         init() { publisher.prefix(during: lifetime).sink { … }.store(in: lifetime) }
///     }
///
/// It ends when it is released, or when it is told to.
public final class Lifetime: Sendable {
    private let members = CompositeDisposable()
    private let subject = ReplaySubject<Void, Never>(bufferSize: 1)

    /// Creates a lifetime, which lasts until it is released or told to end.
    public init() {}

    deinit {
        end()
    }

    /// A Boolean value that indicates whether the lifetime has ended.
    public var hasEnded: Bool { members.isCancelled }

    /// A publisher that delivers once when the lifetime ends, or has ended, and finishes.
    public var ended: AnyPublisher<Void, Never> { subject.first().eraseToAnyPublisher() }

    /// Binds a cancellable to the lifetime; after the end it is cancelled at once.
    ///
    /// - Parameter cancellable: The cancellable.
    public func add(_ cancellable: any Cancellable) {
        members.add(cancellable)
    }

    /// Ends the lifetime, and cancels its members in the order in which they were added.
    public func end() {
        members.cancel()
        subject.send()
        subject.send(completion: .finished)
    }
}

extension Cancellable {
    /// Binds the cancellable to a lifetime, with which it is cancelled.
    ///
    /// - Parameter lifetime: The lifetime.
    public func store(in lifetime: Lifetime) {
        lifetime.add(self)
    }
}

extension Publisher {
    /// Delivers values until a lifetime ends, then finishes.
    ///
    ///     upstream                    1---2---3---4|
    ///     prefix(during: lifetime)    1---2---3-|
    ///
    /// Demand is the upstream's, which is cancelled at the end. Failure: the upstream's. Thread: the upstream's, or that on
    /// which the lifetime ends.
    ///
    /// - Parameter lifetime: The lifetime.
    public func prefix(during lifetime: Lifetime) -> Publishers.PrefixUntilOutput<Self, AnyPublisher<Void, Never>> {
        prefix(untilOutputFrom: lifetime.ended)
    }
}

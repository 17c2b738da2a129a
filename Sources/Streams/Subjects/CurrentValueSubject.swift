/// A subject with a current value, which it delivers to new subscribers.
///
///     init(0), send   0---1---2---3|
///     subscriber            --1---2---3|   (subscribed after 1)
///
/// Demand: a subscriber that has requested none misses values, and gets the newest one, once, when it requests.
/// Upstreams are asked for everything at once. Failure: what is sent; later subscribers get the completion alone.
/// Cancellation takes constant time and releases the subscriber. Thread: the sender's, or that of a request; what is
/// sent during a delivery is delivered by the thread that delivers already. Subscribers are served in the order of
/// subscription.
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
    @usableFromInline let core: SubjectCore<Output, Failure>

    /// Creates a subject with a value.
    ///
    /// - Parameter value: The first current value.
    @inlinable
    public init(_ value: Output) {
        core = SubjectCore(latest: value)
    }

    deinit {
        core.depart()
    }

    /// The newest value that was sent, even if it's still being delivered. Setting it sends it; after a completion it
    /// is only kept. To read, change and write it as one step is the caller's business.
    public var value: Output {
        @inlinable get { core.latest }
        @inlinable set { core.sendLatest(newValue, isKept: true) }
    }

    @inlinable
    public func send(_ value: Output) {
        core.sendLatest(value)
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        core.send(completion: completion)
    }

    @inlinable
    public func send(subscription: any Subscription) {
        core.receive(upstream: subscription)
    }

    /// A Boolean value that indicates whether the subject has a subscriber.
    public var hasSubscribers: Bool { core.hasSubscribers }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: consuming AnySubscriber<Output, Failure>) {
        core.attach(subscriber)
    }
}

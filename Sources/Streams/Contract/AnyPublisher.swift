extension Publisher {
    /// Hides the publisher's type. Costs one closure call a value; erasing twice costs no more than once.
    @inlinable @inline(__always)
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}

/// A publisher whose type is hidden behind a closure. Everything else is as the publisher that it wraps says.
@frozen
public struct AnyPublisher<Output: Sendable, Failure: Error>: Publisher {
    @usableFromInline let attach: @Sendable (AnySubscriber<Output, Failure>) -> Void
    /// The parts of a concatenation that has been erased, so that others can be appended to them.
    @usableFromInline let chain: Concatenation<Output, Failure>?

    /// Hides the type of a publisher.
    ///
    /// - Parameter publisher: The publisher whose type to hide.
    @inlinable @inline(__always)
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if let erased = publisher as? AnyPublisher {
            self = erased
        } else {
            attach = { publisher.receive(subscriber: $0) }
            chain = nil
        }
    }

    @inlinable @inline(__always)
    init(
        chain: Concatenation<Output, Failure>? = nil,
        attach: @escaping @Sendable (AnySubscriber<Output, Failure>) -> Void
    ) {
        self.chain = chain
        self.attach = attach
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}

extension AnyPublisher: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
    public var description: String { "AnyPublisher" }
    public var playgroundDescription: Any { description }
}

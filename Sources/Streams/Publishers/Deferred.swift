/// A publisher that makes its publisher when it is subscribed to: once for each subscriber.
///
/// Demand, failure, cancellation and thread are those of what it makes.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure

    /// The closure that makes the publisher for a subscriber, on the thread that subscribes.
    public let createPublisher: @Sendable () -> DeferredPublisher

    /// Creates a deferred publisher.
    ///
    /// - Parameter createPublisher: Makes the publisher for a subscriber, on the thread that subscribes.
    @preconcurrency
    @inlinable @inline(__always)
    public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
        self.createPublisher = createPublisher
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        createPublisher().receive(subscriber: subscriber)
    }
}

import CThread

extension Publisher {
    /// Stops in the debugger when a closure says so.
    ///
    ///     upstream                                 1---2---3|
    ///     breakpoint(receiveOutput: { $0 > 3 })    1---2---3|
    ///
    /// Demand, failure and thread are the upstream's. Raises SIGTRAP, which ends a program that is not being debugged.
    ///
    /// - Parameters:
    ///   - receiveSubscription: A closure that returns whether to stop at the subscription.
    ///   - receiveOutput: A closure that returns whether to stop at a value.
    ///   - receiveCompletion: A closure that returns whether to stop at the completion.
    @preconcurrency
    @inlinable
    public func breakpoint(
        receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
        receiveOutput: (@Sendable (Output) -> Bool)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        Publishers.Breakpoint(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion)
    }

    /// Stops in the debugger when the upstream fails.
    ///
    ///     upstream               1---2---3|
    ///     breakpointOnError()    1---2---3|
    ///
    /// Demand, failure and thread are the upstream's.
    @inlinable
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
    }
}

extension Publishers {
    /// Stops in the debugger when a closure says so.
    public struct Breakpoint<Upstream: Publisher>: DeliveringAsUpstream, FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that returns whether to stop at the subscription.
        public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
        /// The closure that returns whether to stop at a value.
        public let receiveOutput: (@Sendable (Upstream.Output) -> Bool)?
        /// The closure that returns whether to stop at the completion.
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Bool)?

        /// Creates a publisher that stops in the debugger when a closure says so.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - receiveSubscription: A closure that returns whether to stop at the subscription.
        ///   - receiveOutput: A closure that returns whether to stop at a value.
        ///   - receiveCompletion: A closure that returns whether to stop at the completion.
        @preconcurrency
        @inlinable
        public init(
            upstream: Upstream,
            receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Bool)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Bool)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
        }

        @inlinable
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
            upstream.handleEvents(
                receiveSubscription: { [receiveSubscription] in stop(receiveSubscription?($0)) },
                receiveOutput: { [receiveOutput] in stop(receiveOutput?($0)) },
                receiveCompletion: { [receiveCompletion] in stop(receiveCompletion?($0)) }
            ).receive(subscriber: subscriber)
        }
    }
}

@usableFromInline
func stop(_ isWanted: Bool?) {
    if isWanted == true { raise(SIGTRAP) }
}

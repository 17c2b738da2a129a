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
    public func breakpoint(
        receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
        receiveOutput: (@Sendable (Output) -> Bool)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        handleEvents(
            receiveSubscription: { if receiveSubscription?($0) == true { raise(SIGTRAP) } },
            receiveOutput: { if receiveOutput?($0) == true { raise(SIGTRAP) } },
            receiveCompletion: { if receiveCompletion?($0) == true { raise(SIGTRAP) } })
    }

    /// Stops in the debugger when the upstream fails.
    ///
    ///     upstream               1---2---3|
    ///     breakpointOnError()    1---2---3|
    ///
    /// Demand, failure and thread are the upstream's.
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
    }
}

extension Publishers {
    /// Stops in the debugger when a closure says so.
    public typealias Breakpoint<Upstream: Publisher> = HandleEvents<Upstream>
}

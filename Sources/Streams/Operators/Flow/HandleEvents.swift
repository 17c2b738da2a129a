extension Publisher {
    /// Calls closures as signals pass, and changes none of them.
    ///
    ///     upstream           1---2---3|
    ///     handleEvents(…)    1---2---3|
    ///
    /// Demand and failure are the upstream's. Each closure runs on the thread of its signal, before the signal goes on.
    /// `receiveCancel` runs for a cancel that comes from downstream before the end.
    ///
    /// - Parameters:
    ///   - receiveSubscription: A closure that is called with the subscription.
    ///   - receiveOutput: A closure that is called with each value.
    ///   - receiveCompletion: A closure that is called with the completion.
    ///   - receiveCancel: A closure that is called when the downstream cancels.
    ///   - receiveRequest: A closure that is called with each request.
    @preconcurrency
    @inlinable @inline(__always)
    public func handleEvents(
        receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil,
        receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}

extension Publishers {
    /// Calls closures as signals pass.
    @frozen
    public struct HandleEvents<Upstream: Publisher>: DeliveringAsUpstream, FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// A closure that is called with the subscription.
        public let receiveSubscription: (@Sendable (any Subscription) -> Void)?
        /// A closure that is called with each value.
        public let receiveOutput: (@Sendable (Upstream.Output) -> Void)?
        /// A closure that is called with the completion.
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Void)?
        /// A closure that is called when the downstream cancels.
        public let receiveCancel: (@Sendable () -> Void)?
        /// A closure that is called with each request, and with the demand that the downstream returns for a value.
        public let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

        /// Creates a publisher that calls closures as signals pass.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - receiveSubscription: A closure that is called with the subscription.
        ///   - receiveOutput: A closure that is called with each value.
        ///   - receiveCompletion: A closure that is called with the completion.
        ///   - receiveCancel: A closure that is called when the downstream cancels.
        ///   - receiveRequest: A closure that is called with each request, and with the demand that the downstream
        ///     returns for a value.
        @preconcurrency
        @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Void)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Void)? = nil,
            receiveCancel: (@Sendable () -> Void)? = nil,
            receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
            self.receiveCancel = receiveCancel
            self.receiveRequest = receiveRequest
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
            upstream.receive(subscriber: HandlingSubscriber(downstream: subscriber, handlers: EventHandlers(self)))
        }
    }
}

/// The subscriber of `handleEvents`.
@frozen @usableFromInline
struct HandlingSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    // One reference and not five closures: what is kept in registers along a chain is short of room.
    @usableFromInline let handlers: EventHandlers<Downstream.Input, Downstream.Failure>

    @inlinable @inline(__always)
    init(downstream: Downstream, handlers: EventHandlers<Downstream.Input, Downstream.Failure>) {
        self.downstream = downstream
        self.handlers = handlers
    }

    @inlinable @inline(never)
    func receive(subscription: any Subscription) {
        if let observed = handlers.observed, !observed.receive(subscription) { return }
        handlers.receiveSubscription?(subscription)
        downstream.receive(subscription: handlers.observed ?? subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if let observed = handlers.observed, observed.isOver { return .none }
        handlers.receiveOutput?(input)
        let demand = downstream.receive(input)
        if demand.count != 0 { handlers.receiveRequest?(demand) }
        return demand
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if let observed = handlers.observed {
            if observed.isOver { return }
            observed.finish()
        }
        handlers.receiveCompletion?(completion)
        downstream.receive(completion: completion)
    }
}

/// The closures that one subscriber's events are told to.
@usableFromInline
final class EventHandlers<Input: Sendable, Failure: Error>: Sendable {
    @usableFromInline let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    @usableFromInline let receiveOutput: (@Sendable (Input) -> Void)?
    @usableFromInline let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    @usableFromInline let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?
    @usableFromInline let observed: ObservedSubscription?

    @inlinable
    init<Upstream: Publisher>(_ events: Publishers.HandleEvents<Upstream>)
    where Upstream.Output == Input, Upstream.Failure == Failure {
        receiveSubscription = events.receiveSubscription
        receiveOutput = events.receiveOutput
        receiveCompletion = events.receiveCompletion
        receiveRequest = events.receiveRequest
        let isObserved = events.receiveCancel != nil || events.receiveRequest != nil
        observed =
            isObserved
            ? ObservedSubscription(onRequest: events.receiveRequest, onCancel: events.receiveCancel) : nil
    }
}

extension Publisher {
    /// Calls closures as signals pass, and changes none of them.
    ///
    ///     upstream           1---2---3|
    ///     handleEvents(…)    1---2---3|
    ///
    /// Demand and failure are the upstream's. Each closure runs on the thread of its signal, before the signal goes on.
    /// `receiveCancel` runs for a cancel that comes from downstream before the end.
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
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// Called with the subscription.
        public let receiveSubscription: (@Sendable (any Subscription) -> Void)?
        /// Called with each value.
        public let receiveOutput: (@Sendable (Output) -> Void)?
        /// Called with the end.
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
        /// Called for a cancel from downstream.
        public let receiveCancel: (@Sendable () -> Void)?
        /// Called with each request, and what a value's return asks for.
        public let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

        @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
            receiveOutput: (@Sendable (Output) -> Void)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
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
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, events: self))
        }

        @frozen @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let events: HandleEvents
            @usableFromInline let observed: ObservedSubscription?

            @inlinable @inline(__always)
            init(downstream: Downstream, events: HandleEvents) {
                self.downstream = downstream
                self.events = events
                let isObserved = events.receiveCancel != nil || events.receiveRequest != nil
                observed =
                    isObserved
                    ? ObservedSubscription(onRequest: events.receiveRequest, onCancel: events.receiveCancel) : nil
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                if let observed, !observed.receive(subscription) { return }
                events.receiveSubscription?(subscription)
                downstream.receive(subscription: observed ?? subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                if let observed, observed.isOver { return .none }
                events.receiveOutput?(input)
                let demand = downstream.receive(input)
                if demand.count != 0 { events.receiveRequest?(demand) }
                return demand
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                if let observed {
                    if observed.isOver { return }
                    observed.finish()
                }
                events.receiveCompletion?(completion)
                downstream.receive(completion: completion)
            }
        }
    }
}

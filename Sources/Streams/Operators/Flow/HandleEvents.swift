extension Publisher {
    /// Calls closures as signals pass, and changes none of them.
    ///
    /// Each runs on the thread of its signal, before the signal goes on. `receiveCancel` runs for a cancel that comes
    /// from downstream.
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
        public let receiveSubscription: (@Sendable (any Subscription) -> Void)?
        public let receiveOutput: (@Sendable (Output) -> Void)?
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
        public let receiveCancel: (@Sendable () -> Void)?
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

            @inlinable @inline(__always)
            init(downstream: Downstream, events: HandleEvents) {
                self.downstream = downstream
                self.events = events
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                events.receiveSubscription?(subscription)
                guard events.receiveCancel != nil || events.receiveRequest != nil else {
                    return downstream.receive(subscription: subscription)
                }
                downstream.receive(
                    subscription: ObservedSubscription(
                        subscription, onRequest: events.receiveRequest, onCancel: events.receiveCancel))
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                events.receiveOutput?(input)
                let demand = downstream.receive(input)
                if demand.count != 0 { events.receiveRequest?(demand) }
                return demand
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                events.receiveCompletion?(completion)
                downstream.receive(completion: completion)
            }
        }
    }
}

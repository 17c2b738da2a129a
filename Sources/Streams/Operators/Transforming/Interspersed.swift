extension Publisher {
    /// Delivers a separator between values.
    ///
    ///     upstream                 1---2------3---|
    ///     interspersed(with: 0)    1---(02)---(03)|
    ///
    /// Demand: asks the upstream for as many values as it takes. Failure: the upstream's, behind the values before it.
    /// Thread: the upstream's, or that of a request.
    ///
    /// - Parameter separator: The value to deliver between two others.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func interspersed(with separator: Output) -> Publishers.Interspersed<Self> {
        Publishers.Interspersed(upstream: self, separator: separator)
    }
}

extension Publishers {
    /// Delivers a separator between values.
    @frozen
    public struct Interspersed<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is delivered between two others.
        public let separator: Output

        /// Creates a publisher that delivers a separator between values.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - separator: The value to deliver between two others.
        @inlinable @inline(__always)
        public init(upstream: Upstream, separator: Output) {
            self.upstream = upstream
            self.separator = separator
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            let demand = HalvedDemand()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) {
                [separator] emitter in
                emitter.onRequest { slot.request(demand.adding($0)) }
                let isFirst = Serial(true)
                upstream.handleEvents(receiveOutput: { _ in
                    if !isFirst.value { emitter.send(separator) }
                    isFirst.value = false
                }).receive(subscriber: EmittingSubscriber(emitter: emitter, slot: slot))
            }
        }
    }
}

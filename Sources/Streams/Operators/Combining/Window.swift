extension Publisher {
    /// Delivers a publisher for each stretch of values: a new one begins whenever another publisher delivers a value.
    ///
    ///     upstream                1-2---3-4|
    ///     boundary                ----x----|
    ///     window(by: boundary)    w---w----|
    ///     window 0                1-2------|
    ///     window 1                ------3-4|
    ///
    /// Each window finishes when the next begins; of one that was cancelled, what comes before the next boundary is
    /// dropped. Demand: everything of the upstream and of the boundary, whose end is ignored. What has not been requested of
    /// a window waits there, the first of it for the first subscriber, as `strategy` says; a further subscriber of a window
    /// gets what comes after it. Failure: the upstream's, of the present window too, behind what waits there. Thread: the
    /// upstream's, or that of the request. Cancellation ends the upstream for the window. Memory: what waits.
    ///
    /// - Parameters:
    ///   - boundary: The publisher whose values begin new windows.
    ///   - strategy: The treatment of values that have not been requested of their window; by default all are kept.
    @_disfavoredOverload
    @inlinable
    public func window<Boundary: Publisher>(
        by boundary: Boundary, buffering strategy: BackpressureStrategy<Failure> = .unbounded
    ) -> Publishers.Window<Self, Boundary> where Boundary.Failure == Never {
        Publishers.Window(upstream: self, boundary: boundary, buffering: strategy)
    }
}

extension Publishers {
    /// Delivers a publisher for each stretch of values.
    public struct Window<Upstream: Publisher, Boundary: Publisher>: Publisher where Boundary.Failure == Never {
        public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose values begin new windows.
        public let boundary: Boundary
        /// The treatment of values that have not been requested of their window.
        public let strategy: BackpressureStrategy<Failure>

        /// Creates a publisher that delivers a publisher for each stretch of values.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - boundary: The publisher whose values begin new windows.
        ///   - strategy: The treatment of values that nobody has requested of their window; by default all are kept.
        @inlinable
        public init(
            upstream: Upstream, boundary: Boundary, buffering strategy: BackpressureStrategy<Failure> = .unbounded
        ) {
            self.upstream = upstream
            self.boundary = boundary
            self.strategy = strategy
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) { [strategy] emitter in
                let window = Serial(StreamPart<Upstream.Output, Failure>(strategy))
                let deliver: @Sendable () -> Void = {
                    emitter.send(StreamPartHandle(window.value).eraseToAnyPublisher())
                }
                deliver()
                // Merged, so that values and boundaries come one after the other; nil is a boundary.
                let signals = ClosureSubscriber<Signal<Upstream.Output, Failure>?, Never>(
                    slot: slot, receiveCompletion: { _ in },
                    receiveValue: { signal in
                        switch signal {
                        case .value(let value): _ = window.value.send(value)
                        case nil:
                            window.value.send(completion: .finished)
                            window.value = StreamPart(strategy)
                            deliver()
                        case .finished:
                            // The boundaries are left before anybody learns of the end.
                            slot.cancel()
                            window.value.send(completion: .finished)
                            emitter.send(completion: .finished)
                        case .failure(let failure):
                            slot.cancel()
                            window.value.send(completion: .failure(failure))
                            emitter.send(completion: .failure(failure))
                        }
                    })
                upstream.materialize().map { Signal<Upstream.Output, Failure>?.some($0) }
                    .merge(with: boundary.map { _ in nil }).receive(subscriber: signals)
            }
        }
    }
}

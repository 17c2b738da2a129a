extension Publisher {
    /// Gathers values into arrays of `count`; the last one may be shorter.
    ///
    ///     upstream      1---2--------3|
    ///     collect(2)    ----[1, 2]----[3]|
    ///
    /// Demand: asks the upstream for that many values for each array. Failure: the upstream's, and drops what was gathered.
    /// Thread: the upstream's, or that of the request that the last array waited for. Memory: one array.
    ///
    /// - Parameter count: The number of values in an array, at least one.
    @inlinable @inline(__always)
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        Publishers.CollectByCount(upstream: self, count: count)
    }
}

extension Publishers {
    /// Gathers values into arrays of one length.
    @frozen
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of values in an array.
        public let count: Int

        /// Creates a publisher of arrays of an upstream's values.
        ///
        /// - Precondition: `count` is 1 or more.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - count: The number of values in an array, at least one.
        @inlinable @inline(__always)
        public init(upstream: Upstream, count: Int) {
            precondition(count >= 1, "An array gathers one value or more.")
            self.upstream = upstream
            self.count = count
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) { emitter in
                emitter.onRequest { slot.request($0 * count) }
                upstream.receive(subscriber: Inner(emitter: emitter, slot: slot, count: count))
            }
        }

        @frozen @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline let emitter: Emitter<[Upstream.Output], Upstream.Failure>
            @usableFromInline let slot: UpstreamSlot
            @usableFromInline let count: Int
            @usableFromInline let gathered = Serial<[Upstream.Output]>([])

            @inlinable
            init(emitter: Emitter<[Upstream.Output], Upstream.Failure>, slot: UpstreamSlot, count: Int) {
                self.emitter = emitter
                self.slot = slot
                self.count = count
            }

            @inlinable
            func receive(subscription: any Subscription) {
                _ = slot.receive(subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard !slot.isDone else { return .none }
                gathered.value.append(input)
                if gathered.value.count == count { emitter.send(take()) }
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard slot.finish() else { return }
                if case .finished = completion, !gathered.value.isEmpty { emitter.send(take()) }
                emitter.send(completion: completion)
            }

            @inlinable
            func take() -> [Upstream.Output] {
                defer { gathered.value = [] }
                return gathered.value
            }
        }
    }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers {
    /// The demand of a buffer on its upstream.
    public enum PrefetchStrategy: Sendable, Hashable {
        /// Requests as many values as the buffer holds, and one more for each value that it delivers, so that it never
        /// overflows. A buffer of size 0 passes on what is requested of it.
        case keepFull
        /// Requests everything at once: `whenFull` decides about what finds no room.
        case byRequest
    }

    /// The treatment of a value that finds neither demand nor room in a buffer.
    public enum BufferingStrategy<Failure: Error>: Sendable {
        /// Drops the value that has come.
        case dropNewest
        /// Drops the oldest value in the buffer.
        case dropOldest
        /// Cancels the upstream and ends the stream with this failure, without waiting for demand: the values in the buffer
        /// are dropped.
        case customError(@Sendable () -> Failure)
    }
}

extension Publisher {
    /// Keeps values until they are requested.
    ///
    ///     upstream                           1-2-3-4----5|
    ///     requests                           -------2--------3----
    ///     buffer(size: 3, …, .dropNewest)    -------(12)-----(35|)
    ///
    /// Demand: of the upstream, by the prefetch strategy. A value that comes while more is requested than has come takes
    /// its demand at once and needs no room, though others may have to be delivered first; one that is just being
    /// delivered is no demand. As many as `size` of the others are kept, and get demand, the oldest first, from the moment
    /// at which it is requested or returned. Failure: the upstream's waits behind the values that are kept; the buffer's
    /// own, by `whenFull`, does not. Cancellation drops what is kept. Thread: the upstream's, or that of the request.
    /// Memory: `size` values, and those that wait for another to be delivered.
    ///
    /// - Parameters:
    ///   - size: The largest number of values to keep.
    ///   - prefetch: The demand on the upstream.
    ///   - whenFull: The treatment of a value for which there is no room.
    @inlinable @inline(__always)
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}

extension Publishers {
    /// Keeps values until they are requested.
    @frozen
    public struct Buffer<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The largest number of values that are kept.
        public let size: Int
        /// The demand on the upstream.
        public let prefetch: PrefetchStrategy
        /// The treatment of a value for which there is no room.
        public let whenFull: BufferingStrategy<Failure>
        @usableFromInline let failsAtOnce: Bool

        /// Creates a buffer in front of an upstream.
        ///
        /// - Precondition: `size` is not negative.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - size: The largest number of values to keep.
        ///   - prefetch: The demand on the upstream.
        ///   - whenFull: The treatment of a value for which there is no room.
        @inlinable @inline(__always)
        public init(upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>) {
            precondition(size >= 0, "A buffer holds zero values or more.")
            self.upstream = upstream
            self.size = size
            self.prefetch = prefetch
            self.whenFull = whenFull
            failsAtOnce = false
        }

        /// One that keeps everything and drops it when the upstream fails; of an upstream that loses nothing it keeps one
        /// value.
        @inlinable @inline(__always)
        init(unboundedFailingAtOnce upstream: Upstream) {
            self.upstream = upstream
            size = .max
            prefetch = .byRequest
            whenFull = .dropNewest
            failsAtOnce = true
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            let isKeptFull = prefetch == .keepFull
            let replenishing = Replenishing(
                downstream: subscriber, upstream: slot,
                perValue: isKeptFull && size > 0 || failsAtOnce ? .max(1) : .none)
            let strategy = BackpressureStrategy(limit: size, overflow: overflow, failsAtOnce: failsAtOnce)
            EmitterCore(AnySubscriber(replenishing), strategy: strategy).start(cancelling: slot) { emitter in
                // Where nothing is kept, a value may be asked for only when it is wanted.
                if isKeptFull, size == 0 { emitter.onRequest { slot.request($0) } }
                // Erased: behind a long chain the compiler could not make the one function that it would become.
                let emitting = EmittingSubscriber(
                    emitter: emitter, slot: slot, demand: isKeptFull ? .max(size) : .unlimited,
                    demandIfPulled: failsAtOnce ? .max(1) : nil)
                upstream.receive(subscriber: AnySubscriber(emitting))
            }
        }

        @inlinable
        var overflow: BackpressureStrategy<Failure>.Overflow {
            switch whenFull {
            case .dropNewest: .dropNewest
            case .dropOldest: .dropOldest
            case .customError(let error): .fail(error)
            }
        }

        /// Asks the upstream for what takes the place of each value that leaves the buffer.
        @frozen @usableFromInline
        struct Replenishing<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let upstream: UpstreamSlot
            @usableFromInline let perValue: Subscribers.Demand

            @inlinable @inline(__always)
            init(downstream: Downstream, upstream: UpstreamSlot, perValue: Subscribers.Demand) {
                self.downstream = downstream
                self.upstream = upstream
                self.perValue = perValue
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Output) -> Subscribers.Demand {
                let more = downstream.receive(input)
                if perValue.count != 0 { upstream.request(perValue) }
                return more
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}

extension Publisher {
    /// Subscribes again when the upstream fails, at most a number of times.
    ///
    ///     1st attempt    1-✕
    ///     2nd attempt    1-2-✕
    ///     3rd attempt    1-2-3|
    ///     retry(2)       1-1-2-1-2-3|
    ///
    /// Demand: each attempt gets what is left. Failure: the last attempt's. Cancellation ends the present attempt. Thread:
    /// the upstream's. Any number of attempts that fail at once takes the same stack.
    ///
    /// - Parameter retries: The largest number of further attempts.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        Publishers.Retry(upstream: self, retries: retries)
    }

    /// Subscribes again some time after the upstream has failed, at most a number of times.
    ///
    ///     1st attempt                        1-✕
    ///     2nd attempt                        1-2|
    ///     retry(2, backOff: .constant(4))    1-----1-2|
    ///
    /// Demand: each attempt gets what is left. Failure: the last attempt's, or the first that `condition` refuses.
    /// Cancellation ends the attempt, or the wait for it. Thread: the upstream's; later attempts begin on the scheduler.
    ///
    /// - Parameters:
    ///   - retries: The largest number of further attempts.
    ///   - backOff: The time to wait between attempts.
    ///   - scheduler: The scheduler that waits between attempts.
    ///   - condition: A closure that returns whether a failure is worth another attempt.
    @preconcurrency
    @inlinable @inline(__always)
    public func retry<S: Scheduler>(
        _ retries: Int, backOff: BackOff, scheduler: S,
        when condition: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> Publishers.Resubscribe<Self> {
        Publishers.Resubscribe(upstream: self) { completion, attempt in
            guard case .failure(let failure) = completion, attempt <= retries, condition(failure) else { return .end }
            return .later { work in
                let delay = S.SchedulerTimeType.Stride.nanoseconds(backOff.nanoseconds(before: attempt))
                return Clockwork(scheduler).at(scheduler.now.advanced(by: delay), work)
            }
        }
    }

    /// Subscribes again when the upstream has finished, until it has been subscribed to a number of times.
    ///
    ///     upstream     1-2|
    ///     repeat(3)    1-21-21-2|
    ///
    /// Demand: each time it gets what is left. Failure: the upstream's, at once. Cancellation ends the present time.
    /// Thread: the upstream's.
    ///
    /// - Parameter times: The number of subscriptions in all; nil for no bound.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func `repeat`(_ times: Int? = nil) -> Publishers.Resubscribe<Self> {
        Publishers.Resubscribe(upstream: self) { completion, attempt in
            guard case .finished = completion, attempt < times ?? .max else { return .end }
            return .now
        }
    }
}

extension Publishers {
    /// Subscribes again when the upstream fails.
    @frozen
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The largest number of further subscriptions; nil for no bound.
        public let retries: Int?

        /// Creates a publisher that subscribes again when the upstream fails.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - retries: The largest number of further subscriptions; nil for no bound.
        @inlinable @inline(__always)
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Resubscribe(upstream: upstream) { [retries] completion, attempt in
                guard case .failure = completion, attempt <= retries ?? .max else { return .end }
                return .now
            }.receive(subscriber: subscriber)
        }
    }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

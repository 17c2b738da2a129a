extension Publisher {
    /// Combines all values into one, delivered when the upstream finishes.
    ///
    ///     upstream         1---2---3|
    ///     reduce(0, +)     ---------6|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. A failure passes at once and
    /// drops what was combined. Thread: the upstream's, or the requester's if it requests after the end.
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> {
        Publishers.Reduce(upstream: self, initial: initialResult) { $0 = nextPartialResult($0, $1) }
    }

    /// Collects all values into one array, delivered when the upstream finishes; an empty one if there were none.
    ///
    /// Holds every value until then. Otherwise as `reduce`.
    @inlinable @inline(__always)
    public func collect() -> Publishers.Reduce<Self, [Output]> {
        Publishers.Reduce(upstream: self, initial: []) { $0.append($1) }
    }
}

extension Publishers {
    /// Combines all values into one, delivered when the upstream finishes.
    @frozen
    public struct Reduce<Upstream: Publisher, Output: Sendable>: Publisher {
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// What the first value is combined with.
        public let initial: Output
        /// Takes a value in.
        public let update: @Sendable (inout Output, Upstream.Output) -> Void

        @inlinable @inline(__always)
        public init(
            upstream: Upstream, initial: Output, update: @escaping @Sendable (inout Output, Upstream.Output) -> Void
        ) {
            self.upstream = upstream
            self.initial = initial
            self.update = update
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(
                subscriber: Inner(
                    result: Serial(initial), update: update, final: FinalValue<Output, S>(downstream: subscriber)))
        }

        @frozen @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let result: Serial<Output>
            @usableFromInline let update: @Sendable (inout Output, Upstream.Output) -> Void
            @usableFromInline let final: FinalValue<Output, Downstream>

            @inlinable @inline(__always)
            init(
                result: Serial<Output>, update: @escaping @Sendable (inout Output, Upstream.Output) -> Void,
                final: FinalValue<Output, Downstream>
            ) {
                self.result = result
                self.update = update
                self.final = final
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                guard final.upstream.receive(subscription) else { return }
                final.start()
                subscription.request(.unlimited)
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                update(&result.value, input)
                return .none
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                case .finished: final.finish(with: result.value)
                case .failure(let error): final.fail(error)
                }
            }
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure that may throw.
    ///
    ///     upstream              1---2---3|
    ///     tryMap, throws at 2   a---✕
    ///
    /// Failure: what the closure throws; the upstream is cancelled and nothing follows. Demand and thread are the
    /// upstream's.
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// Transforms each value with a closure that may throw.
    @frozen
    public struct TryMap<Upstream: Publisher, Output: Sendable>: Publisher {
        public typealias Failure = any Error

        /// Where the values come from.
        public let upstream: Upstream
        /// What is done to each.
        public let transform: @Sendable (Upstream.Output) throws -> Output

        @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
        }

        @frozen @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == any Error {
            @usableFromInline let downstream: Downstream
            @usableFromInline let transform: @Sendable (Upstream.Output) throws -> Output
            @usableFromInline let slot = UpstreamSlot()

            @inlinable @inline(__always)
            init(downstream: Downstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output) {
                self.downstream = downstream
                self.transform = transform
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                if slot.receive(subscription) { downstream.receive(subscription: slot) }
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard !slot.isDone else { return .none }
                do {
                    return downstream.receive(try transform(input))
                } catch {
                    if slot.cancelFirst() { downstream.receive(completion: .failure(error)) }
                    return .none
                }
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard slot.finish() else { return }
                switch completion {
                case .finished: downstream.receive(completion: .finished)
                case .failure(let error): downstream.receive(completion: .failure(error))
                }
            }
        }
    }
}

extension Publisher {
    /// Transforms each value.
    ///
    ///     upstream          1---2---3|
    ///     map { 2 * $0 }    2---4---6|
    ///
    /// Demand, failure, cancellation and thread are the upstream's. Holds no state.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    // Disfavoured, as a key path literal serves as the closure above: the compiler then never tries both for each `map` of a chain,
    // which took it seconds behind one `map(\.count)`.
    /// Delivers a property of each value.
    ///
    /// - Parameter keyPath: The key path of the property.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ keyPath: any KeyPath<Output, T> & Sendable) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self) { $0[keyPath: keyPath] }
    }
}

extension Publishers {
    /// Transforms each value.
    @frozen
    public struct Map<Upstream: Publisher, Output: Sendable>: FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value.
        public let transform: @Sendable (Upstream.Output) -> Output

        /// Creates a publisher that transforms each value.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - transform: A closure that transforms a value.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
            upstream.receive(subscriber: MappingSubscriber(downstream: subscriber, transform: transform))
        }
    }
}

/// The subscriber of `map`.
///
/// Not nested in the publisher: it would carry the upstream's type, and the types of a chain grow with the square of its length.
@frozen @usableFromInline
struct MappingSubscriber<Input: Sendable, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input

    @inlinable @inline(__always)
    init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        downstream.receive(transform(input))
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream.receive(completion: completion)
    }
}

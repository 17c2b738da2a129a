extension Publisher {
    /// Delivers the last value when the upstream finishes; finishes empty if there was none.
    ///
    ///     upstream    1---2---3|
    ///     last()      ---------3|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    @inlinable @inline(__always)
    public func last() -> Publishers.Last<Self> {
        Publishers.Last(upstream: self)
    }

    /// Delivers the last value that satisfies a predicate when the upstream finishes.
    ///
    ///     upstream                1---2---3|
    ///     last { $0 % 2 == 0 }    ---------2|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func last(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.LastWhere<Self> {
        Publishers.LastWhere(upstream: self, logic: Folds.LastWhere(predicate: predicate))
    }

    /// Delivers the last value that satisfies a predicate that may throw.
    ///
    ///     upstream                        1---2---3|
    ///     tryLast(where:), throws at 2    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryLast(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryLastWhere<Self> {
        Publishers.TryLastWhere(upstream: self, logic: Folds.LastWhere(predicate: predicate))
    }

    /// Delivers the last values when the upstream finishes, as many as that or fewer.
    ///
    ///     upstream       1---2---3|
    ///     takeLast(2)    ---------(23|)
    ///
    /// Demand: requests everything from the upstream; the values wait for requests. Failure: the upstream's, at once, and
    /// none of the values. Thread: the upstream's, or that of the request. Memory: that many values.
    ///
    /// - Parameter count: The largest number of values to deliver.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func takeLast(_ count: Int) -> Publishers.TakeLast<Self> {
        Publishers.Folded(upstream: self, logic: Folds.TakeLast(count: count))
            .flatMap(maxPublishers: .max(1)) { Publishers.Sequence(sequence: $0) }
    }
}

extension Publishers {
    /// Delivers the last value.
    public typealias Last<Upstream: Publisher> = Folded<Upstream, Folds.Last<Upstream.Output, Upstream.Failure>>
    /// Delivers the last value that satisfies a predicate.
    public typealias LastWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.LastWhere<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Delivers the last value that satisfies a predicate that may throw.
    public typealias TryLastWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.LastWhere<Upstream.Output, MayThrow<Upstream.Failure>>
    >
    /// Delivers the last values.
    public typealias TakeLast<Upstream: Publisher> = FlatMap<
        Sequence<[Upstream.Output], Upstream.Failure>,
        Folded<Upstream, Folds.TakeLast<Upstream.Output, Upstream.Failure>>
    >
}

extension Folds {
    /// The logic of `last()`.
    @frozen
    public struct Last<Input: Sendable, UpstreamFailure: Error>: ValueFold, Equatable {
        public typealias Output = Input

        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Input?) -> Folds.Step<UpstreamFailure> {
            state = input
            return .more
        }
    }

    /// The logic of `last(where:)`.
    @frozen
    public struct LastWhere<Input: Sendable, Mode: ThrowMode>: ThrowingFold {
        public typealias Output = Input

        @usableFromInline let predicate: @Sendable (Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(predicate: @escaping @Sendable (Input) throws(Mode.Thrown) -> Bool) {
            self.predicate = predicate
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Input?) throws(Mode.Thrown) -> Folds.Step<Mode.Failure> {
            if try predicate(input) { state = input }
            return .more
        }

        @inlinable @inline(__always)
        public func makeState() -> Input? { nil }

        @inlinable @inline(__always)
        public func result(_ state: Input?) -> Input? { state }
    }
}

extension Folds {
    /// The logic of `takeLast`.
    @frozen
    public struct TakeLast<Input: Sendable, UpstreamFailure: Error>: ValueFold {
        @usableFromInline let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            precondition(count >= 0, "Take zero values or more.")
            self.count = count
        }

        @inlinable @inline(__always)
        public func makeState() -> RecentValues<Input> { RecentValues(count) }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout RecentValues<Input>) -> Folds.Step<UpstreamFailure> {
            _ = state.push(input)
            return .more
        }

        @inlinable @inline(__always)
        public func result(_ state: RecentValues<Input>) -> [Input]? { state.values }
    }
}

extension Publishers.Folded {
    /// Creates a publisher that delivers the last value that satisfies a predicate.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Folds.LastWhere<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Folds.LastWhere(predicate: predicate))
    }
}

extension Publishers.Folded where Logic == Folds.Last<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that delivers the last value.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable @inline(__always)
    public init(upstream: Upstream) {
        self.init(upstream: upstream, logic: Folds.Last())
    }
}

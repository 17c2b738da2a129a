extension Publisher {
    /// Combines all values into one, delivered when the upstream finishes.
    ///
    ///     upstream        1---2---3|
    ///     reduce(0, +)    ---------6|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> {
        Publishers.Reduce(upstream: self, logic: Folds.Reduce(initial: initialResult, next: nextPartialResult))
    }

    /// Combines all values into one, by a closure that may throw.
    ///
    ///     upstream                  1---2---3|
    ///     tryReduce, throws at 2    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryReduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> {
        Publishers.TryReduce(upstream: self, logic: Folds.Reduce(initial: initialResult, next: nextPartialResult))
    }

    /// Collects all values into one array, delivered when the upstream finishes; an empty one if there were none.
    ///
    ///     upstream     1---2---3|
    ///     collect()    ---------[1, 2, 3]|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end. Memory: every value.
    @inlinable @inline(__always)
    public func collect() -> Publishers.Collect<Self> {
        Publishers.Collect(upstream: self, logic: Folds.Collect())
    }

    /// Counts the values.
    ///
    ///     upstream    a---b---c|
    ///     count()     ---------3|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    @inlinable @inline(__always)
    public func count() -> Publishers.Count<Self> {
        Publishers.Count(upstream: self, logic: Folds.Count())
    }
}

extension Publishers {
    /// Combines all values into one.
    public typealias Reduce<Upstream: Publisher, Output: Sendable> = Folded<
        Upstream, Folds.Reduce<Upstream.Output, Output, NeverThrows<Upstream.Failure>>
    >
    /// Combines all values into one, by a closure that may throw.
    public typealias TryReduce<Upstream: Publisher, Output: Sendable> = Folded<
        Upstream, Folds.Reduce<Upstream.Output, Output, MayThrow<Upstream.Failure>>
    >
    /// Collects all values into one array.
    public typealias Collect<Upstream: Publisher> = Folded<Upstream, Folds.Collect<Upstream.Output, Upstream.Failure>>
    /// Counts the values.
    public typealias Count<Upstream: Publisher> = Folded<Upstream, Folds.Count<Upstream.Output, Upstream.Failure>>
}

extension Folds {
    /// The logic of `reduce`.
    @frozen
    public struct Reduce<Input: Sendable, Output: Sendable, Mode: ThrowMode>: ThrowingFold {
        @usableFromInline let initial: Output
        @usableFromInline let next: @Sendable (Output, Input) throws(Mode.Thrown) -> Output

        @inlinable @inline(__always)
        init(initial: Output, next: @escaping @Sendable (Output, Input) throws(Mode.Thrown) -> Output) {
            self.initial = initial
            self.next = next
        }

        @inlinable @inline(__always)
        public func makeState() -> Output { initial }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Output) throws(Mode.Thrown) -> Folds.Step<Mode.Failure> {
            state = try next(state, input)
            return .more
        }
    }
}

extension Folds {
    /// The logic of `collect`.
    @frozen
    public struct Collect<Input: Sendable, UpstreamFailure: Error>: ValueFold, Equatable {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func makeState() -> [Input] { [] }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout [Input]) -> Folds.Step<UpstreamFailure> {
            state.append(input)
            return .more
        }
    }
}

extension Folds {
    /// The logic of `count`.
    @frozen
    public struct Count<Input: Sendable, UpstreamFailure: Error>: ValueFold, Equatable {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func makeState() -> Int { 0 }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Int) -> Folds.Step<UpstreamFailure> {
            state += 1
            return .more
        }
    }
}

extension Publishers.Folded {
    /// Creates a publisher that combines all values into one.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - initial: The result to begin with.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public init<T: Sendable, Mode: ThrowMode>(
        upstream: Upstream, initial: T,
        nextPartialResult: @escaping @Sendable (T, Upstream.Output) throws(Mode.Thrown) -> T
    ) where Logic == Folds.Reduce<Upstream.Output, T, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Folds.Reduce(initial: initial, next: nextPartialResult))
    }
}

extension Publishers.Folded where Logic == Folds.Collect<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that collects all values into one array.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable @inline(__always)
    public init(upstream: Upstream) {
        self.init(upstream: upstream, logic: Folds.Collect())
    }
}

extension Publishers.Folded where Logic == Folds.Count<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that counts the values.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable @inline(__always)
    public init(upstream: Upstream) {
        self.init(upstream: upstream, logic: Folds.Count())
    }
}

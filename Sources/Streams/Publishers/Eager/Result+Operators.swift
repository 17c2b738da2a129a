/// The operators of one value or a failure, worked out when they are called: closures run once, not for each subscriber.
/// As in Combine.
extension Result.Publisher {
    /// The transformed value.
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Result<T, Failure>.Publisher {
        result.map(transform).publisher
    }

    /// The transformed value, or what the closure throws.
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        Result<T, any Error> { try transform(try result.get()) }.publisher
    }

    /// The value, or what becomes of the failure.
    @inlinable @inline(__always)
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> Result<Output, E>.Publisher {
        result.mapError(transform).publisher
    }

    /// Whether the value satisfies a predicate.
    @inlinable @inline(__always)
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        map(predicate)
    }

    /// Whether the value satisfies a predicate that may throw.
    @inlinable @inline(__always)
    public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Whether the value satisfies a predicate.
    @inlinable @inline(__always)
    public func contains(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Result<Bool, Failure>.Publisher {
        map(predicate)
    }

    /// Whether the value satisfies a predicate that may throw.
    @inlinable @inline(__always)
    public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// The value as an array.
    @inlinable @inline(__always)
    public func collect() -> Result<[Output], Failure>.Publisher {
        map { [$0] }
    }

    /// 1, or the failure.
    @inlinable @inline(__always)
    public func count() -> Result<Int, Failure>.Publisher {
        map { _ in 1 }
    }

    /// The value itself.
    @inlinable @inline(__always)
    public func first() -> Self { self }

    /// The value itself.
    @inlinable @inline(__always)
    public func last() -> Self { self }

    /// The value combined with an initial result.
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// The value combined with an initial result, or what the closure throws.
    @inlinable @inline(__always)
    public func tryReduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// The value combined with an initial result.
    @inlinable @inline(__always)
    public func scan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        reduce(initialResult, nextPartialResult)
    }

    /// The value combined with an initial result, or what the closure throws.
    @inlinable @inline(__always)
    public func tryScan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        tryReduce(initialResult, nextPartialResult)
    }

    /// The value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> Self { self }

    /// The value itself: there is one, or a failure.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Self { self }

    /// The value, or another in place of a failure.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Just<Output> {
        switch result {
        case .success(let value): Just(value)
        case .failure: Just(output)
        }
    }

    /// The same: it would fail alike every time.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Self { self }
}

extension Result.Publisher where Failure == Never {
    /// The value, with a type of failure that never comes.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result<Output, E>.success(result.get()).publisher
    }
}

extension Result.Publisher where Success: Comparable {
    /// The value itself.
    @inlinable @inline(__always)
    public func min() -> Self { self }

    /// The value itself.
    @inlinable @inline(__always)
    public func max() -> Self { self }
}

extension Result.Publisher where Success: Equatable {
    /// Whether it is that value.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
        map { $0 == output }
    }

    /// The value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Self { self }
}

/// The operators of one value or a failure, worked out when they are called: closures run once, not for each subscriber.
/// As in Combine.
extension Result.Publisher {
    /// Delivers the transformed value.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Result<T, Failure>.Publisher {
        result.map(transform).publisher
    }

    /// Delivers the transformed value, or fails with the error that the closure throws.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        Result<T, any Error> { try transform(try result.get()) }.publisher
    }

    /// Delivers the value, or fails with the transformed failure.
    ///
    /// - Parameter transform: A closure that transforms the failure.
    @preconcurrency
    @inlinable @inline(__always)
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> Result<Output, E>.Publisher {
        result.mapError(transform).publisher
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        map(predicate)
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate that may throw.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func contains(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Result<Bool, Failure>.Publisher {
        map(predicate)
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate that may throw.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Delivers the value as an array.
    @inlinable @inline(__always)
    public func collect() -> Result<[Output], Failure>.Publisher {
        map { [$0] }
    }

    /// Delivers 1, or fails.
    @inlinable @inline(__always)
    public func count() -> Result<Int, Failure>.Publisher {
        map { _ in 1 }
    }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func first() -> Self { self }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func last() -> Self { self }

    /// Delivers the value combined with an initial result.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// Delivers the value combined with an initial result, or fails with the error that the closure throws.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryReduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// Delivers the value combined with an initial result.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func scan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        reduce(initialResult, nextPartialResult)
    }

    /// Delivers the value combined with an initial result, or fails with the error that the closure throws.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryScan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        tryReduce(initialResult, nextPartialResult)
    }

    /// Delivers the value itself: it has no predecessor.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable @inline(__always)
    public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> Self { self }

    /// Delivers the value itself: there is one, or a failure.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Self { self }

    /// Delivers the value, or another in place of a failure.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Just<Output> {
        switch result {
        case .success(let value): Just(value)
        case .failure: Just(output)
        }
    }

    /// Returns the publisher itself: another attempt would give the same result.
    ///
    /// - Parameter retries: The largest number of further attempts, which are never needed.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Self { self }
}

extension Result.Publisher where Failure == Never {
    /// Delivers the value, with another failure type.
    ///
    /// - Parameter failureType: The failure type.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result<Output, E>.success(result.get()).publisher
    }
}

extension Result.Publisher where Success: Comparable {
    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func min() -> Self { self }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func max() -> Self { self }
}

extension Result.Publisher where Success: Equatable {
    /// Delivers a Boolean value that indicates whether the value equals a given one.
    ///
    /// - Parameter output: The value to look for.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
        map { $0 == output }
    }

    /// Delivers the value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Self { self }
}

extension Result.Publisher {
    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func min(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> Self { self }

    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func max(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> Self { self }

    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher { mapError { $0 as any Error } }

    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher { mapError { $0 as any Error } }

    /// Delivers the value itself: it has no predecessor.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable
    public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher { mapError { $0 as any Error } }
}

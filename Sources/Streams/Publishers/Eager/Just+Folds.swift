/// The operators of one value, worked out when they are called: their types say that it is still one value, or at most
/// one, and closures run once, not for each subscriber. As in Combine.
extension Just {
    /// Delivers a Boolean value that indicates whether the value satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
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
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
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
    public func collect() -> Just<[Output]> {
        Just<[Output]>([output])
    }

    /// Delivers 1.
    @inlinable @inline(__always)
    public func count() -> Just<Int> {
        Just<Int>(1)
    }

    /// Delivers the value combined with an initial result.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Never>.Publisher {
        Result.success(nextPartialResult(initialResult, output)).publisher
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

    /// Finishes without the value.
    @inlinable
    public func ignoreOutput() -> Empty<Output, Never> { Empty() }

    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func min(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> Just { self }

    /// Delivers the value itself: it has none to be compared with.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable
    public func max(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> Just { self }
}

extension Just where Output: Comparable {
    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func min() -> Just { self }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func max() -> Just { self }
}

extension Just where Output: Equatable {
    /// Delivers a Boolean value that indicates whether the value equals a given one.
    ///
    /// - Parameter output: The value to look for.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Just<Bool> {
        map { $0 == output }
    }
}

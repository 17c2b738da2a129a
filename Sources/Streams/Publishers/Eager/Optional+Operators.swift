/// The operators of at most one value, worked out when they are called: closures run once, not for each subscriber. As in
/// Combine.
extension Optional.Publisher {
    /// Delivers the transformed value.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Optional<T>.Publisher {
        output.map(transform).publisher
    }

    /// Delivers the transformed value, unless it is nil.
    ///
    /// - Parameter transform: A closure that transforms a value, or returns nil to drop it.
    @preconcurrency
    @inlinable @inline(__always)
    public func compactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T?) -> Optional<T>.Publisher {
        output.flatMap(transform).publisher
    }

    /// Delivers the value, if it is included.
    ///
    /// - Parameter isIncluded: A closure that returns whether to deliver a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Self {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate; true without a value.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
        Just(output.map(predicate) ?? true)
    }

    /// Delivers a Boolean value that indicates whether the value satisfies a predicate; false without a value.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
        Just(output.map(predicate) ?? false)
    }

    /// Delivers the value, or none, as an array.
    @inlinable @inline(__always)
    public func collect() -> Just<[Output]> {
        Just(output.map { [$0] } ?? [])
    }

    /// Delivers 1 if there is a value, 0 otherwise.
    @inlinable @inline(__always)
    public func count() -> Just<Int> {
        Just(output == nil ? 0 : 1)
    }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func first() -> Self { self }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Self {
        filter(predicate)
    }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func last() -> Self { self }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Self {
        filter(predicate)
    }

    /// Delivers the value, unless `count` is greater than 0.
    ///
    /// - Parameter count: The number of values to drop.
    @inlinable @inline(__always)
    public func dropFirst(_ count: Int = 1) -> Self {
        precondition(count >= 0, "Drop zero values or more.")
        return count == 0 ? self : Self(nil)
    }

    /// Delivers the value, unless it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> Self {
        filter { !predicate($0) }
    }

    /// Delivers the value, if `maxLength` is greater than 0.
    ///
    /// - Parameter maxLength: The largest number of values to deliver.
    @inlinable @inline(__always)
    public func prefix(_ maxLength: Int) -> Self {
        precondition(maxLength >= 0, "A prefix has zero values or more.")
        return maxLength == 0 ? Self(nil) : self
    }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Self {
        filter(predicate)
    }

    /// Delivers the value, if the index is 0.
    ///
    /// - Parameter index: The index of the value, counted from 0.
    @inlinable @inline(__always)
    public func output(at index: Int) -> Self {
        precondition(index >= 0, "An index is zero or more.")
        return index == 0 ? self : Self(nil)
    }

    /// Delivers the value, if the range contains 0.
    ///
    /// - Parameter range: The range of the indices.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Self
    where R.Bound == Int {
        range.contains(0) ? self : Self(nil)
    }

    /// Delivers the value combined with an initial result, or that result without a value.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Just<T> {
        Just(output.map { nextPartialResult(initialResult, $0) } ?? initialResult)
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
    ) -> Optional<T>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// Delivers the value itself: it has no predecessor.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable @inline(__always)
    public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> Self { self }

    /// Delivers the value, or another where there is none.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Just<Output> {
        Just(self.output ?? output)
    }

    /// Delivers the value itself: it can't fail.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Self { self }

    /// Delivers the value itself: it can't fail.
    ///
    /// - Parameter retries: The largest number of further attempts, which are never needed.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Self { self }
}

extension Optional.Publisher where Wrapped: Comparable {
    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func min() -> Self { self }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func max() -> Self { self }
}

extension Optional.Publisher where Wrapped: Equatable {
    /// Delivers a Boolean value that indicates whether the value equals a given one.
    ///
    /// - Parameter output: The value to look for.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Just<Bool> {
        Just(self.output == output)
    }

    /// Delivers the value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Self { self }
}

extension Optional.Publisher {
    /// Finishes without a value.
    @inlinable
    public func ignoreOutput() -> Empty<Output, Never> { Empty() }

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
}

/// The operators of one value, worked out when they are called: their types say that it is still one value, or at most
/// one, and closures run once, not for each subscriber. As in Combine.
extension Just {
    /// Delivers the transformed value.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Just<T> {
        Just<T>(transform(output))
    }

    /// Delivers the transformed value, or fails with the error that the closure throws.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        Result { try transform(output) }.publisher
    }

    /// Delivers the transformed value, unless it is nil.
    ///
    /// - Parameter transform: A closure that transforms a value, or returns nil to drop it.
    @preconcurrency
    @inlinable @inline(__always)
    public func compactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T?) -> Optional<T>.Publisher {
        optional.compactMap(transform)
    }

    /// Delivers the value, if it is included.
    ///
    /// - Parameter isIncluded: A closure that returns whether to deliver a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        optional.filter(isIncluded)
    }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func first() -> Just { self }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Delivers the value itself.
    @inlinable @inline(__always)
    public func last() -> Just { self }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Delivers the value, unless `count` is greater than 0.
    ///
    /// - Parameter count: The number of values to drop.
    @inlinable @inline(__always)
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
        optional.dropFirst(count)
    }

    /// Delivers the value, unless it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter { !predicate($0) }
    }

    /// Delivers the value, if `maxLength` is greater than 0.
    ///
    /// - Parameter maxLength: The largest number of values to deliver.
    @inlinable @inline(__always)
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
        optional.prefix(maxLength)
    }

    /// Delivers the value, if it satisfies a predicate.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Delivers the value, if the index is 0.
    ///
    /// - Parameter index: The index of the value, counted from 0.
    @inlinable @inline(__always)
    public func output(at index: Int) -> Optional<Output>.Publisher {
        optional.output(at: index)
    }

    /// Delivers the value, if the range contains 0.
    ///
    /// - Parameter range: The range of the indices.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher
    where R.Bound == Int {
        optional.output(in: range)
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
    ) -> Result<T, Never>.Publisher {
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
    public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> Just { self }

    /// Delivers the value itself: there is always one.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Just { self }

    /// Delivers the value itself: it can't fail.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Just { self }

    /// Delivers the value itself: it can't fail.
    ///
    /// - Parameter retries: The largest number of further attempts, which are never needed.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Just { self }

    /// Delivers the value, with another failure type.
    ///
    /// - Parameter failureType: The failure type.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result.success(output).publisher
    }

    /// Delivers the value followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        append(elements)
    }

    /// Delivers the value followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func append(_ elements: [Output]) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Delivers the value followed by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
    where S.Element == Output {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Delivers the value preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        prepend(elements)
    }

    /// Delivers the value preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func prepend(_ elements: [Output]) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: elements + [output])
    }

    /// Delivers the value preceded by others.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable @inline(__always)
    public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
    where S.Element == Output {
        Publishers.Sequence(sequence: elements + [output])
    }

    @inlinable @inline(__always)
    var optional: Optional<Output>.Publisher { Optional.some(output).publisher }

    /// Delivers the value itself: it can't fail.
    ///
    /// - Parameter transform: A closure that makes another failure of a failure.
    @preconcurrency
    @inlinable
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Never) -> E) -> Result<Output, E>.Publisher {
        setFailureType(to: E.self)
    }

    /// Delivers the value itself: it has no predecessor.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable
    public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        setFailureType(to: (any Error).self)
    }
}

extension Just where Output: Equatable {
    /// Delivers the value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Just { self }
}

/// The operators of one value, worked out when they are called: their types say that it is still one value, or at most
/// one, and closures run once, not for each subscriber. As in Combine.
extension Just {
    /// One transformed value.
    @inlinable @inline(__always)
    public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> Just<T> {
        Just<T>(transform(output))
    }

    /// One transformed value, or what the closure throws.
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        Result { try transform(output) }.publisher
    }

    /// The transformed value, unless it is nil.
    @inlinable @inline(__always)
    public func compactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T?) -> Optional<T>.Publisher {
        optional.compactMap(transform)
    }

    /// The value, if it is included.
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        optional.filter(isIncluded)
    }

    /// Whether the value satisfies a predicate.
    @inlinable @inline(__always)
    public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
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
    public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> Just<Bool> {
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
    public func collect() -> Just<[Output]> {
        Just<[Output]>([output])
    }

    /// 1.
    @inlinable @inline(__always)
    public func count() -> Just<Int> {
        Just<Int>(1)
    }

    /// The value itself.
    @inlinable @inline(__always)
    public func first() -> Just { self }

    /// The value, if it satisfies a predicate.
    @inlinable @inline(__always)
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// The value itself.
    @inlinable @inline(__always)
    public func last() -> Just { self }

    /// The value, if it satisfies a predicate.
    @inlinable @inline(__always)
    public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// The value, unless it is among those left out.
    @inlinable @inline(__always)
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
        optional.dropFirst(count)
    }

    /// The value, unless it satisfies a predicate.
    @inlinable @inline(__always)
    public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter { !predicate($0) }
    }

    /// The value, if one is wanted.
    @inlinable @inline(__always)
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
        optional.prefix(maxLength)
    }

    /// The value, if it satisfies a predicate.
    @inlinable @inline(__always)
    public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// The value, if its index 0 is meant.
    @inlinable @inline(__always)
    public func output(at index: Int) -> Optional<Output>.Publisher {
        optional.output(at: index)
    }

    /// The value, if its index 0 is in the range.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher
    where R.Bound == Int {
        optional.output(in: range)
    }

    /// The value combined with an initial result.
    @inlinable @inline(__always)
    public func reduce<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Result<T, Never>.Publisher {
        Result.success(nextPartialResult(initialResult, output)).publisher
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
    ) -> Result<T, Never>.Publisher {
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
    public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool) -> Just { self }

    /// The value itself: there is always one.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Just { self }

    /// The value itself: it can't fail.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Just { self }

    /// The value itself: it can't fail.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Just { self }

    /// The value, with a type of failure that never comes.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result.success(output).publisher
    }

    /// The value and others behind it.
    @inlinable @inline(__always)
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        append(elements)
    }

    /// The value and others behind it.
    @inlinable @inline(__always)
    public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
    where S.Element == Output {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// The value and others in front of it.
    @inlinable @inline(__always)
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        prepend(elements)
    }

    /// The value and others in front of it.
    @inlinable @inline(__always)
    public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
    where S.Element == Output {
        Publishers.Sequence(sequence: elements + [output])
    }

    @inlinable @inline(__always)
    var optional: Optional<Output>.Publisher { Optional.some(output).publisher }
}

extension Just where Output: Comparable {
    /// The value itself.
    @inlinable @inline(__always)
    public func min() -> Just { self }

    /// The value itself.
    @inlinable @inline(__always)
    public func max() -> Just { self }
}

extension Just where Output: Equatable {
    /// Whether it is that value.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Just<Bool> {
        map { $0 == output }
    }

    /// The value itself: it has no predecessor.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Just { self }
}

extension Publisher {
    /// Returns two publishers: one of the values that satisfy a predicate, and one of the others.
    ///
    ///     upstream                  1---2---3---4|
    ///     partition { $0 < 3 }.0    1---2--------|
    ///     partition { $0 < 3 }.1    --------3---4|
    ///
    /// Each subscribes to the upstream by itself; share it if that is not wanted. Demand, failure and thread are the
    /// upstream's.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @_disfavoredOverload
    @preconcurrency
    @inlinable @inline(__always)
    public func partition(
        by predicate: @escaping @Sendable (Output) -> Bool
    ) -> (matching: Publishers.Filter<Self>, others: Publishers.Filter<Self>) {
        (filter(predicate), filter { !predicate($0) })
    }
}

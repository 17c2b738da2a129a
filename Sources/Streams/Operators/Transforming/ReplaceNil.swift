extension Publisher {
    /// Delivers a given value in place of nil.
    ///
    ///     upstream               1---nil---3|
    ///     replaceNil(with: 9)    1---9-----3|
    ///
    /// Demand, failure and thread are the upstream's.
    ///
    /// - Parameter output: The value that takes the place of nil.
    @inlinable @inline(__always)
    public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        map { $0 ?? output }
    }
}

extension Publisher {
    /// Delivers two properties of each value.
    ///
    ///     upstream         p---------q------|
    ///     map(\.x, \.y)    (px,py)---(qx,qy)|
    ///
    /// Demand, failure and thread are the upstream's.
    ///
    /// - Parameters:
    ///   - first: The key path of the first property.
    ///   - second: The key path of the second property.
    @inlinable @inline(__always)
    public func map<A: Sendable, B: Sendable>(
        _ first: any KeyPath<Output, A> & Sendable, _ second: any KeyPath<Output, B> & Sendable
    ) -> Publishers.Map<Self, (A, B)> {
        map { ($0[keyPath: first], $0[keyPath: second]) }
    }

    /// Delivers three properties of each value.
    ///
    ///     upstream              p------------q---------|
    ///     map(\.x, \.y, \.z)    (px,py,pz)---(qx,qy,qz)|
    ///
    /// Demand, failure and thread are the upstream's.
    ///
    /// - Parameters:
    ///   - first: The key path of the first property.
    ///   - second: The key path of the second property.
    ///   - third: The key path of the third property.
    @inlinable @inline(__always)
    public func map<A: Sendable, B: Sendable, C: Sendable>(
        _ first: any KeyPath<Output, A> & Sendable, _ second: any KeyPath<Output, B> & Sendable,
        _ third: any KeyPath<Output, C> & Sendable
    ) -> Publishers.Map<Self, (A, B, C)> {
        map { ($0[keyPath: first], $0[keyPath: second], $0[keyPath: third]) }
    }
}

extension Publishers {
    /// Delivers a property of each value.
    public typealias MapKeyPath<Upstream: Publisher, Output: Sendable> = Map<Upstream, Output>
    /// Delivers two properties of each value.
    public typealias MapKeyPath2<Upstream: Publisher, A: Sendable, B: Sendable> = Map<Upstream, (A, B)>
    /// Delivers three properties of each value.
    public typealias MapKeyPath3<Upstream: Publisher, A: Sendable, B: Sendable, C: Sendable> = Map<Upstream, (A, B, C)>
}

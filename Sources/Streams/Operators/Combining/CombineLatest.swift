extension Publisher {
    /// Delivers the latest values of all publishers together, whenever one of them has a newer one.
    ///
    ///     upstream                1----2-------3-|
    ///     other                   --a-----b-|
    ///     combineLatest(other)    --1a-2a-2b---3b|
    ///
    /// Demand: requests everything of each, one after the other; without demand of its own, only the latest tuple is kept.
    /// So a sequence is walked to its end before the next publisher is subscribed to, and one without an end keeps the
    /// others out. Finishes when all have, or when one has without a value. Failure: the first of any, at once. The others
    /// are cancelled at the end. Thread: that of the newer value.
    ///
    /// - Parameter other: The other publisher.
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure {
        Publishers.CombineLatest(self, other)
    }

    /// Delivers the result of a closure for the latest values of two publishers, whenever one of them has a newer one.
    ///
    /// - Parameters:
    ///   - other: The other publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher, T: Sendable>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
        combineLatest(other).map { transform($0.0, $0.1) }
    }

    /// Delivers the latest values of three publishers together, whenever one of them has a newer one.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, publisher1, publisher2)
    }

    /// Delivers the result of a closure for the latest values of three publishers, whenever one of them has a newer
    /// one.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher, Q: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }

    /// Delivers the latest values of four publishers together, whenever one of them has a newer one.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - publisher3: The fourth publisher.
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
    }

    /// Delivers the result of a closure for the latest values of four publishers, whenever one of them has a newer one.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - publisher3: The fourth publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        combineLatest(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}

extension Publishers {
    /// Delivers the latest values of two publishers together, whenever one of them has a newer one.
    public typealias CombineLatest<A: Publisher, B: Publisher> = Joined<A, B, Joins.Latest>
    where A.Failure == B.Failure
    /// Delivers the latest values of three publishers together, whenever one of them has a newer one.
    public typealias CombineLatest3<A: Publisher, B: Publisher, C: Publisher> = Joined3<A, B, C, Joins.Latest>
    where A.Failure == B.Failure, A.Failure == C.Failure
    /// Delivers the latest values of four publishers together, whenever one of them has a newer one.
    public typealias CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Joined4<
        A, B, C, D, Joins.Latest
    >
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure
    /// Delivers the latest values of any number of publishers of one type together, whenever one of them has a newer
    /// one.
    public typealias CombineLatestMany<Upstream: Publisher> = JoinedMany<Upstream, Joins.Latest>
}

extension Collection where Element: Publisher {
    /// Delivers the latest values of all publishers together, whenever one of them has a newer one. Finishes at once where there is none.
    ///
    /// As the operator of two.
    @inlinable
    public func combinedLatest() -> Publishers.CombineLatestMany<Element> {
        Publishers.CombineLatestMany(self)
    }
}

extension Publisher {
    /// Delivers the first values of two publishers together, then the second ones, and so on.
    ///
    ///     upstream      1----2--------3|
    ///     other         --a----b-|
    ///     zip(other)    --1a---2b|
    ///
    /// Demand: what is requested is requested of each. One that delivers inside its requests, as a sequence does, is asked
    /// for 128 values at a time, so that it may be endless and no more of it waits; any other is asked for all at once, and
    /// what waits for its partners is kept. Finishes when a finished publisher has no value left. Failure: the first of any,
    /// at once. The others are cancelled at the end. Thread: that of the value that completes a tuple. Complexity: linear.
    /// Memory: what waits.
    ///
    /// - Parameter other: The other publisher.
    @inlinable @inline(__always)
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(self, other)
    }

    /// Delivers the result of a closure for the first values of two publishers, then for the second ones, and so on.
    ///
    /// - Parameters:
    ///   - other: The other publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func zip<P: Publisher, T: Sendable>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
        zip(other).map { transform($0.0, $0.1) }
    }

    /// Delivers the first values of three publishers together, then the second ones, and so on.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.Zip3(self, publisher1, publisher2)
    }

    /// Delivers the result of a closure for the first values of three publishers, then for the second ones, and so on.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }

    /// Delivers the first values of four publishers together, then the second ones, and so on.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - publisher3: The fourth publisher.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.Zip4(self, publisher1, publisher2, publisher3)
    }

    /// Delivers the result of a closure for the first values of four publishers, then for the second ones, and so on.
    ///
    /// - Parameters:
    ///   - publisher1: The second publisher.
    ///   - publisher2: The third publisher.
    ///   - publisher3: The fourth publisher.
    ///   - transform: A closure that makes one value of several.
    @preconcurrency
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}

extension Publishers {
    /// Delivers the first values of two publishers together, then the second ones, and so on.
    public typealias Zip<A: Publisher, B: Publisher> = Joined<A, B, Joins.Zip>
    where A.Failure == B.Failure
    /// Delivers the first values of three publishers together, then the second ones, and so on.
    public typealias Zip3<A: Publisher, B: Publisher, C: Publisher> = Joined3<A, B, C, Joins.Zip>
    where A.Failure == B.Failure, A.Failure == C.Failure
    /// Delivers the first values of four publishers together, then the second ones, and so on.
    public typealias Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Joined4<A, B, C, D, Joins.Zip>
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure
    /// Delivers the first values of any number of publishers of one type together, then the second ones, and so on.
    public typealias ZipMany<Upstream: Publisher> = JoinedMany<Upstream, Joins.Zip>
}

extension Collection where Element: Publisher {
    /// Delivers the first values of all publishers together, then the second ones, and so on. Finishes at once where there is none.
    ///
    /// As the operator of two.
    @inlinable
    public func zipped() -> Publishers.ZipMany<Element> {
        Publishers.ZipMany(self)
    }
}

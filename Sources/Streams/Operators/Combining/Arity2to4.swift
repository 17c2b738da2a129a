// As operators: a pack of any length is handled at run time, and a key path of its tuple's is not always understood.
extension Publishers {
    /// Delivers the first values of two publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    @inlinable
    public static func zip<A, B, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>
    ) -> AnyPublisher<(A, B), Failure> {
        a.zip(b).eraseToAnyPublisher()
    }

    /// Delivers the first values of three publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of three.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    @inlinable
    public static func zip<A, B, C, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>,
        _ c: AnyPublisher<C, Failure>
    ) -> AnyPublisher<(A, B, C), Failure> {
        a.zip(b, c).eraseToAnyPublisher()
    }

    /// Delivers the first values of four publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of four.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    @inlinable
    public static func zip<A, B, C, D, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>,
        _ c: AnyPublisher<C, Failure>, _ d: AnyPublisher<D, Failure>
    ) -> AnyPublisher<(A, B, C, D), Failure> {
        a.zip(b, c, d).eraseToAnyPublisher()
    }

    /// Delivers the latest values of two publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    @inlinable
    public static func combineLatest<A, B, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>
    ) -> AnyPublisher<(A, B), Failure> {
        a.combineLatest(b).eraseToAnyPublisher()
    }

    /// Delivers the latest values of three publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of three.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    @inlinable
    public static func combineLatest<A, B, C, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>,
        _ c: AnyPublisher<C, Failure>
    ) -> AnyPublisher<(A, B, C), Failure> {
        a.combineLatest(b, c).eraseToAnyPublisher()
    }

    /// Delivers the latest values of four publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of four.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    @inlinable
    public static func combineLatest<A, B, C, D, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>,
        _ c: AnyPublisher<C, Failure>, _ d: AnyPublisher<D, Failure>
    ) -> AnyPublisher<(A, B, C, D), Failure> {
        a.combineLatest(b, c, d).eraseToAnyPublisher()
    }
}

// Two operators in a row: what is handled at run time, as a pack of any length is, costs several times as much.
extension Publishers {
    /// Delivers the first values of five publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    @inlinable
    public static func zip<A, B, C, D, E, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>
    ) -> AnyPublisher<(A, B, C, D, E), Failure> {
        a.zip(b, c, d).zip(e)
            .map { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
    }

    /// Delivers the first values of six publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    @inlinable
    public static func zip<A, B, C, D, E, F, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F), Failure> {
        a.zip(b, c, d).zip(e, f)
            .map { ($0.0, $0.1, $0.2, $0.3, $1, $2) }.eraseToAnyPublisher()
    }

    /// Delivers the first values of seven publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    ///   - g: The seventh publisher.
    @inlinable
    public static func zip<A, B, C, D, E, F, G, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>,
        _ g: AnyPublisher<G, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F, G), Failure> {
        a.zip(b, c, d).zip(e, f, g)
            .map { ($0.0, $0.1, $0.2, $0.3, $1, $2, $3) }.eraseToAnyPublisher()
    }

    /// Delivers the first values of eight publishers together, then the second ones, and so on.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    ///   - g: The seventh publisher.
    ///   - h: The eighth publisher.
    @inlinable
    public static func zip<A, B, C, D, E, F, G, H, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>,
        _ g: AnyPublisher<G, Failure>, _ h: AnyPublisher<H, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F, G, H), Failure> {
        a.zip(b, c, d).zip(e.zip(f, g, h))
            .map { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2, $1.3) }.eraseToAnyPublisher()
    }

    /// Delivers the latest values of five publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    @inlinable
    public static func combineLatest<A, B, C, D, E, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>
    ) -> AnyPublisher<(A, B, C, D, E), Failure> {
        a.combineLatest(b, c, d).combineLatest(e)
            .map { ($0.0, $0.1, $0.2, $0.3, $1) }.eraseToAnyPublisher()
    }

    /// Delivers the latest values of six publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F), Failure> {
        a.combineLatest(b, c, d).combineLatest(e, f)
            .map { ($0.0, $0.1, $0.2, $0.3, $1, $2) }.eraseToAnyPublisher()
    }

    /// Delivers the latest values of seven publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    ///   - g: The seventh publisher.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>,
        _ g: AnyPublisher<G, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F, G), Failure> {
        a.combineLatest(b, c, d).combineLatest(e, f, g)
            .map { ($0.0, $0.1, $0.2, $0.3, $1, $2, $3) }.eraseToAnyPublisher()
    }

    /// Delivers the latest values of eight publishers together, whenever one of them has a newer one.
    ///
    /// Demand, failure and thread as the operator of two.
    ///
    /// - Parameters:
    ///   - a: The first publisher.
    ///   - b: The second publisher.
    ///   - c: The third publisher.
    ///   - d: The fourth publisher.
    ///   - e: The fifth publisher.
    ///   - f: The sixth publisher.
    ///   - g: The seventh publisher.
    ///   - h: The eighth publisher.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G, H, Failure>(
        _ a: AnyPublisher<A, Failure>, _ b: AnyPublisher<B, Failure>, _ c: AnyPublisher<C, Failure>,
        _ d: AnyPublisher<D, Failure>, _ e: AnyPublisher<E, Failure>, _ f: AnyPublisher<F, Failure>,
        _ g: AnyPublisher<G, Failure>, _ h: AnyPublisher<H, Failure>
    ) -> AnyPublisher<(A, B, C, D, E, F, G, H), Failure> {
        a.combineLatest(b, c, d).combineLatest(e.combineLatest(f, g, h))
            .map { ($0.0, $0.1, $0.2, $0.3, $1.0, $1.1, $1.2, $1.3) }.eraseToAnyPublisher()
    }
}

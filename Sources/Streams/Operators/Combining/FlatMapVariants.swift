extension Publisher {
    /// Makes a publisher of each value, and delivers the values of the newest one.
    ///
    ///     upstream               a----------b--------|
    ///     flatMapLatest { … }    -a1-a2-a3---b1-b2-b3---b4|
    ///
    /// Demand: everything of the upstream; what is requested is requested of the newest inner publisher. Failure: the
    /// first, of whichever publisher. Thread: that of the inner publisher. A closure that awaits a result is a task for each
    /// value: it is cancelled with the subscription and when a newer value comes, and its result waits for a request.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @_disfavoredOverload
    @preconcurrency
    @inlinable @inline(__always)
    public func flatMapLatest<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
        map(transform).switchToLatest()
    }

    /// Makes a publisher that cannot fail of each value, and delivers the values of the newest one.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @preconcurrency
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func flatMapLatest<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    )
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<P, Failure>, Publishers.Map<Self, Publishers.SetFailureType<P, Failure>>
        > where P.Failure == Never
    {
        map { Publishers.SetFailureType(upstream: transform($0)) }.switchToLatest()
    }

    /// Makes a publisher of a value, and ignores the values that come before that publisher has finished.
    ///
    ///     upstream              a--b------c-------|
    ///     flatMapFirst { … }    -a1-a2-----c1-c2--|
    ///
    /// Demand: everything of the upstream. Failure: the first, of whichever publisher. Thread: that of the inner
    /// publisher.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @_disfavoredOverload
    @preconcurrency
    @inlinable @inline(__always)
    public func flatMapFirst<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.Buffer<Self>> where P.Failure == Failure {
        onBackpressureDrop().flatMap(maxPublishers: .max(1), transform)
    }

    /// Makes a publisher of each value, and delivers their values one publisher after the other.
    ///
    ///     upstream           a--b--------------|
    ///     concatMap { … }    -a1-a2-b1-b2------|
    ///
    /// Demand: everything of the upstream; values wait for their turn, however many there are, so nothing is lost of a
    /// subject. A sequence loses nothing by itself, and is asked for one value at a time. Failure: the first, of whichever publisher, at once. Thread: that of the inner publisher.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @_disfavoredOverload
    @preconcurrency
    @inlinable @inline(__always)
    public func concatMap<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.Buffer<Self>> where P.Failure == Failure {
        Publishers.Buffer(unboundedFailingAtOnce: self).flatMap(maxPublishers: .max(1), transform)
    }
}

extension Publisher where Failure == Never {
    /// Makes a publisher of each value of this one, which cannot fail, and delivers the values of the newest one.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @preconcurrency
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func flatMapLatest<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.SwitchToLatest<P, Publishers.Map<Publishers.SetFailureType<Self, P.Failure>, P>> {
        Publishers.SetFailureType(upstream: self).map(transform).switchToLatest()
    }

    // Not listed: links cannot tell two forms that return the same type apart.

    /// Makes a publisher that cannot fail of each value of this one, which cannot either, and delivers the values of the newest
    /// one.
    ///
    /// - Parameter transform: A closure that makes a publisher of a value.
    @_documentation(visibility: internal)
    @preconcurrency
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func flatMapLatest<P: Publisher>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Never {
        map(transform).switchToLatest()
    }
}

// Apart from the forms that make publishers, and disfavoured beside them: a closure that awaits nothing is never one of these.
extension Publisher {
    /// Awaits a result for each value, and delivers that of the newest one.
    ///
    ///     $query.debounce(for: 0.3, scheduler: DispatchQueue.main).flatMapLatest { await search($0) }
    ///
    /// - Parameter transform: A closure that makes a result of a value.
    @_disfavoredOverload
    public func flatMapLatest<T: Sendable>(
        _ transform: @escaping @Sendable (Output) async -> T
    )
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Future<T, Never>, Failure>,
            Publishers.Map<Self, Publishers.SetFailureType<Future<T, Never>, Failure>>
        >
    {
        map { value in Publishers.SetFailureType(upstream: Future { await transform(value) }) }.switchToLatest()
    }

    /// Awaits a result for each value, and delivers that of the newest one; what is thrown fails the stream.
    ///
    /// - Parameter transform: A closure that makes a result of a value.
    @_disfavoredOverload
    public func flatMapLatest<T: Sendable>(
        _ transform: @escaping @Sendable (Output) async throws -> T
    )
        -> Publishers.SwitchToLatest<
            Future<T, any Error>, Publishers.Map<Publishers.MapError<Self, any Error>, Future<T, any Error>>
        >
    {
        mapError { $0 as any Error }.map { value in Future { try await transform(value) } }.switchToLatest()
    }

    /// Awaits a result for each value, some at a time, and delivers the results as they come.
    ///
    ///     urls.flatMap(maxPublishers: .max(4)) { await size(of: $0) }
    ///
    /// Demand: asks the upstream for `maxPublishers` values, then for one more with each result; a result waits for a
    /// request. Failure: the upstream's. Cancellation cancels the tasks. Thread: those of the tasks, one at a time.
    ///
    /// - Parameters:
    ///   - maxPublishers: The largest number of tasks at a time.
    ///   - transform: A closure that makes a result of a value.
    @_disfavoredOverload
    public func flatMap<T: Sendable>(
        maxPublishers: Subscribers.Demand, _ transform: @escaping @Sendable (Output) async -> T
    ) -> Publishers.FlatMap<Publishers.SetFailureType<Future<T, Never>, Failure>, Self> {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) { value in
            Publishers.SetFailureType(upstream: Future { await transform(value) })
        }
    }

    /// Awaits a result for each value, some at a time, and delivers the results as they come.
    ///
    ///     urls.flatMap(maxPublishers: .max(4)) { try await download($0) }
    ///
    /// Demand: asks the upstream for `maxPublishers` values, then for one more with each result; a result waits for a
    /// request. Failure: the upstream's, and the first that the closure throws, which cancels the other tasks. Cancellation
    /// cancels the tasks. Thread: those of the tasks, one at a time.
    ///
    /// - Parameters:
    ///   - maxPublishers: The largest number of tasks at a time.
    ///   - transform: A closure that makes a result of a value.
    @_disfavoredOverload
    public func flatMap<T: Sendable>(
        maxPublishers: Subscribers.Demand, _ transform: @escaping @Sendable (Output) async throws -> T
    ) -> Publishers.FlatMap<Future<T, any Error>, Publishers.MapError<Self, any Error>> {
        Publishers.FlatMap(upstream: mapError { $0 as any Error }, maxPublishers: maxPublishers) { value in
            Future { try await transform(value) }
        }
    }
}

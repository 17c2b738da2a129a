import Streams

extension Source where Event == DataEvent {
    /// Keeps bodies on disk, byte for byte as they arrived.
    ///
    /// A hit touches nothing upstream; a miss is written while it passes and published when it is whole. A medium that fails in the
    /// middle of a hit fails the load with ``LoadError/cache(reason:)``, as part of the body is out by then. Each response has a
    /// ``DataResponse/discard``, which `decoded` uses for bodies that nothing can be made of.
    ///
    /// - Parameters:
    ///   - cache: The cache that bodies are looked up and kept in.
    ///   - key: Returns what a request's body is found by. Two requests with the same key must stand for the same body.
    ///   - priority: Returns the priority of a request among those that wait to read the disk.
    ///   - policy: Returns the use that a request makes of the cache. This tier asks nobody whether a body is as it was:
    ///     ``CachePolicy/revalidate`` loads it anew.
    ///   - openFiles: The number of entries that are open for reading at once; other loads wait, and hold nothing.
    ///   - threads: The threads that read and write the disk; events are delivered there too.
    public func cached(
        in cache: DiskCache, by key: @escaping @Sendable (Request) -> CacheKey,
        priority: @escaping @Sendable (Request) -> LoadPriority = { _ in .normal },
        policy: @escaping @Sendable (Request) -> CachePolicy = { _ in .useCache }, openFiles: Int = 16,
        on threads: ThreadPoolScheduler
    ) -> some Source<Request, DataEvent> {
        DiskCachedSource(
            upstream: self, tier: DiskTier(cache: cache, gate: AdmissionGate(limit: openFiles), threads: threads),
            key: key, priority: priority, policy: policy)
    }
}

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies on disk, byte for byte as they arrived, by ``ImageRequest/dataKey``.
    ///
    /// - Parameters:
    ///   - cache: The cache that bodies are looked up and kept in.
    ///   - openFiles: The number of entries that are open for reading at once; other loads wait, and hold nothing.
    ///   - threads: The threads that read and write the disk; events are delivered there too.
    public func cached(
        in cache: DiskCache, openFiles: Int = 16, on threads: ThreadPoolScheduler
    ) -> some Source<ImageRequest, DataEvent> {
        cached(
            in: cache, by: { $0.dataKey }, priority: { $0.priority }, policy: { $0.caching.disk }, openFiles: openFiles,
            on: threads)
    }
}

private struct DiskCachedSource<Upstream: Source<Request, DataEvent>, Request>: Source {
    let upstream: Upstream
    let tier: DiskTier
    let key: @Sendable (Request) -> CacheKey
    let priority: @Sendable (Request) -> LoadPriority
    let policy: @Sendable (Request) -> CachePolicy

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let (key, policy) = (key(request), policy(request))
            guard policy.mayStore else { return upstream.events(for: request) }
            guard policy.mayServe else { return loaded(request, key, policy) }
            return tier.hit(key, priority: priority(request)) { entry in
                guard let end = EntryEnd(metadata: entry.metadata), end.time <= tier.cache.now() else { return true }
                entry.remove()
                return false
            }
            .switchIfEmpty(Deferred { policy == .cacheOnly ? notCached : loaded(request, key, policy) })
            .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    private func loaded(_ request: Request, _ key: CacheKey, _ policy: CachePolicy) -> AnyPublisher<
        DataEvent, LoadError
    > {
        tier.recorded(upstream.events(for: request), by: key) { _ in
            guard case .expires(let end) = policy else { return [] }
            return end > tier.cache.now() ? EntryEnd(time: end).metadata : nil
        }
    }

    private var notCached: AnyPublisher<DataEvent, LoadError> { Fail(error: .notCached).eraseToAnyPublisher() }
}

/// The moment from which an entry is not served any more, in the bytes beside its body: milliseconds since 1970.
private struct EntryEnd {
    let time: Duration

    init(time: Duration) { self.time = time }

    /// Reads it; nil for an entry that has none.
    init?(metadata: [UInt8]) {
        guard metadata.count == 8 else { return nil }
        time = .milliseconds(Int64(bitPattern: metadata.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    }

    var metadata: [UInt8] {
        let (seconds, attoseconds) = time.components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let milliseconds = isTooLarge ? .max : whole + attoseconds / 1_000_000_000_000_000
        return withUnsafeBytes(of: milliseconds.littleEndian) { Array($0) }
    }
}

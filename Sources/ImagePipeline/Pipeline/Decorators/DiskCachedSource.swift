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
    ///   - openFiles: The number of entries that are open for reading at once; other loads wait, and hold nothing.
    ///   - threads: The threads that read and write the disk; events are delivered there too.
    public func cached(
        in cache: DiskCache, by key: @escaping @Sendable (Request) -> CacheKey,
        priority: @escaping @Sendable (Request) -> LoadPriority = { _ in .normal }, openFiles: Int = 16,
        on threads: ThreadPoolScheduler
    ) -> some Source<Request, DataEvent> {
        DiskCachedSource(
            upstream: self, tier: DiskTier(cache: cache, gate: AdmissionGate(limit: openFiles), threads: threads),
            key: key, priority: priority)
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
        cached(in: cache, by: { $0.dataKey }, priority: { $0.priority }, openFiles: openFiles, on: threads)
    }
}

private struct DiskCachedSource<Upstream: Source<Request, DataEvent>, Request>: Source {
    let upstream: Upstream
    let tier: DiskTier
    let key: @Sendable (Request) -> CacheKey
    let priority: @Sendable (Request) -> LoadPriority

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let key = key(request)
            return tier.hit(key, priority: priority(request)) { _ in true }
                .switchIfEmpty(Deferred { tier.recorded(upstream.events(for: request), by: key) { _ in [] } })
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

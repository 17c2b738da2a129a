import Streams

extension Source {
    /// Keeps final values in memory.
    ///
    /// A hit is delivered at once, on the thread that subscribes, and nothing upstream is touched. Degraded values are never kept.
    ///
    /// - Parameters:
    ///   - cache: The cache that values are looked up and kept in.
    ///   - key: Returns what a request's value is found by. Two requests with the same key must stand for the same value.
    ///   - cost: Returns what a value costs, in the unit of the cache's limit.
    public func cached<Value>(
        in cache: MemoryCache<CacheKey, Value>, by key: @escaping @Sendable (Request) -> CacheKey,
        cost: @escaping @Sendable (Value) -> Int
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        MemoryCachedSource(upstream: self, cache: cache, key: key, cost: cost)
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Keeps final images in memory, by ``ImageRequest/imageKey`` and at the cost of their bytes.
    ///
    /// - Parameter cache: The cache that images are looked up and kept in.
    public func cached(in cache: MemoryCache<CacheKey, Image>) -> some Source<ImageRequest, ImageEvent> {
        cached(in: cache, by: { $0.imageKey }, cost: { $0.byteCount })
    }
}

private struct MemoryCachedSource<Upstream: Source<Request, LoadEvent<Value>>, Request, Value>: Source {
    let upstream: Upstream
    let cache: MemoryCache<CacheKey, Value>
    let key: @Sendable (Request) -> CacheKey
    let cost: @Sendable (Value) -> Int

    func events(for request: Request) -> AnyPublisher<LoadEvent<Value>, LoadError> {
        Deferred { () -> AnyPublisher<LoadEvent<Value>, LoadError> in
            let key = key(request)
            if let value = cache.value(forKey: key) {
                return Just(.final(value, .memory)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            return upstream.events(for: request).map { event in
                if let value = event.finalValue { cache.insert(value, forKey: key, cost: cost(value)) }
                return event
            }.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

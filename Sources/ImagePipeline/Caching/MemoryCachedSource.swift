import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Keeps final images in memory. A hit is delivered at once, on the thread that subscribes, and nothing upstream is
    /// touched; degraded images are never kept.
    public func cached(in cache: MemoryCache<CacheKey, Image>) -> some Source<ImageRequest, ImageEvent> {
        MemoryCachedSource(upstream: self, cache: cache)
    }
}

private struct MemoryCachedSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    let upstream: Upstream
    let cache: MemoryCache<CacheKey, Image>

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            let key = request.imageKey
            if let image = cache.value(forKey: key) {
                return Just(.final(image, .memory)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            return upstream.events(for: request).map { event in
                if case .final(let image, _) = event { cache.insert(image, forKey: key, cost: image.byteCount) }
                return event
            }.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

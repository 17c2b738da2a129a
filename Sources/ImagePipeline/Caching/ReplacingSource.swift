import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Removes bodies from a disk cache that are no images, or that the medium does not give back whole. If such a body was
    /// there before the load began, the load begins anew, once; so a page that a server once sent in place of a picture, or
    /// half a picture, fails one load and not all that come after it.
    ///
    /// - Parameters:
    ///   - cache: The one that bodies upstream are kept in.
    ///   - threads: Where the disk is written.
    public func replacing(
        unusableIn cache: DiskCache, on threads: ThreadPoolScheduler
    ) -> some Source<ImageRequest, ImageEvent> {
        ReplacingSource(upstream: self, cache: cache, threads: threads)
    }
}

private struct ReplacingSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    let upstream: Upstream
    let cache: DiskCache
    let threads: ThreadPoolScheduler

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        events(for: request, isRepeated: false)
    }

    private func events(for request: ImageRequest, isRepeated: Bool) -> AnyPublisher<ImageEvent, LoadError> {
        Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            let start = cache.now()
            return upstream.events(for: request).catch { error -> AnyPublisher<ImageEvent, LoadError> in
                let key = request.dataKey
                guard blames(error, key) else { return Fail(error: error).eraseToAnyPublisher() }
                return Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
                    let isOld = cache.reject(key, loadedSince: start)
                    return isOld && !isRepeated
                        ? events(for: request, isRepeated: true) : Fail(error: error).eraseToAnyPublisher()
                }.subscribe(on: threads).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    /// Whether it is the bytes' fault, not that of a limit, of the memory or of who cancelled.
    private func blames(_ error: LoadError, _ key: CacheKey) -> Bool {
        switch error {
        case .decode(.unknownFormat), .decode(.truncated), .decode(.corrupt), .decode(.unsupported): true
        case .file(let path, reason: _): path == cache.path(of: key)
        default: false
        }
    }
}

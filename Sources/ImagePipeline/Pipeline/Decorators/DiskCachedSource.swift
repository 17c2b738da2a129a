import Streams

extension Source where Event == DataEvent {
    /// Keeps bodies on disk as they came.
    ///
    /// A hit touches nothing upstream; a miss is written while it passes and published when it is whole. A medium that fails in the
    /// middle of a hit fails the load with ``LoadError/cache(reason:)``, as part of the body is out by then. Each response has a
    /// ``DataResponse/discard``, which `decoded` uses for bodies that nothing can be made of.
    ///
    /// - Parameters:
    ///   - cache: The cache that bodies are looked up and kept in.
    ///   - key: Returns what a request's body is found by. Two requests with the same key must stand for the same body.
    ///   - threads: Where the disk is read and written; events are delivered there too.
    public func cached(
        in cache: DiskCache, by key: @escaping @Sendable (Request) -> CacheKey, on threads: ThreadPoolScheduler
    ) -> some Source<Request, DataEvent> {
        DiskCachedSource(upstream: self, cache: cache, key: key, threads: threads)
    }
}

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies on disk as they came, by ``ImageRequest/dataKey``.
    public func cached(in cache: DiskCache, on threads: ThreadPoolScheduler) -> some Source<ImageRequest, DataEvent> {
        cached(in: cache, by: { $0.dataKey }, on: threads)
    }
}

private struct DiskCachedSource<Upstream: Source<Request, DataEvent>, Request>: Source {
    let upstream: Upstream
    let cache: DiskCache
    let key: @Sendable (Request) -> CacheKey
    let threads: ThreadPoolScheduler

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let key = key(request)
            if let entry = cache.entry(for: key) { return events(of: entry) }
            let recorder = BodyRecorder(cache: cache, key: key)
            return upstream.events(for: request)
                .receive(on: threads)
                .map { event in
                    recorder.record(event)
                    guard case .response(var response) = event else { return event }
                    response.discard = discarding {
                        recorder.discard()
                        return false
                    }
                    return .response(response)
                }
                .handleEvents(receiveCompletion: { recorder.end($0) })
                .eraseToAnyPublisher()
        }.subscribe(on: threads).eraseToAnyPublisher()
    }

    private func events(of entry: DiskEntry) -> AnyPublisher<DataEvent, LoadError> {
        let discard = discarding {
            entry.remove()
            return true
        }
        let response = DataResponse(provenance: .disk, expectedLength: entry.bodyLength, discard: discard)
        return ChunkSequence(size: entry.bodyLength) { try entry.chunk(at: $0.lowerBound) }
            .events(after: response) { .cache(reason: "\($0)") }
    }

    private func discarding(_ body: @escaping @Sendable () -> Bool) -> @Sendable () -> AnyPublisher<Bool, Never> {
        { [threads] in Deferred { Just(body()) }.subscribe(on: threads).eraseToAnyPublisher() }
    }
}

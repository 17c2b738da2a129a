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
            upstream: self, cache: cache, key: key, priority: priority, gate: AdmissionGate(limit: openFiles),
            threads: threads)
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
    let cache: DiskCache
    let key: @Sendable (Request) -> CacheKey
    let priority: @Sendable (Request) -> LoadPriority
    let gate: AdmissionGate<Never>
    let threads: ThreadPoolScheduler

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let key = key(request)
            // A miss leaves the gate before it turns to the upstream, where it may take as long as it likes.
            let hit = gate.admitting(priority: priority(request)) {
                Deferred {
                    cache.entry(for: key).map { events(of: $0) } ?? Empty().eraseToAnyPublisher()
                }.subscribe(on: threads).eraseToAnyPublisher()
            }
            return hit.switchIfEmpty(Deferred { recorded(upstream.events(for: request), by: key) })
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    private func recorded(
        _ events: AnyPublisher<DataEvent, LoadError>, by key: CacheKey
    ) -> AnyPublisher<DataEvent, LoadError> {
        let recorder = BodyRecorder(cache: cache, key: key)
        return
            events
            .receive(on: threads)
            .map { event in
                recorder.record(event)
                guard case .response(var response) = event else { return event }
                response.discard = discarding { [fate = recorder.fate] in
                    fate.discard()
                    return false
                }
                return .response(response)
            }
            .handleEvents(receiveCompletion: { recorder.end($0) })
            .eraseToAnyPublisher()
    }

    private func events(of entry: DiskEntry) -> AnyPublisher<DataEvent, LoadError> {
        // Not the entry: whoever keeps the response would keep its descriptor.
        let discard = discarding { [removal = entry.removal] in
            removal()
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

import Streams

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies on disk as they came. A hit touches nothing upstream; a miss is written while it passes and
    /// published when it is whole. A medium that fails in the middle of a hit fails the load, as part of the body is out
    /// by then: `replacing(unusableIn:on:)` begins anew.
    ///
    /// - Parameter threads: Where the disk is read and written; values are delivered there too.
    public func cached(in cache: DiskCache, on threads: ThreadPoolScheduler) -> some Source<ImageRequest, DataEvent> {
        DiskCachedSource(upstream: self, cache: cache, threads: threads)
    }
}

private struct DiskCachedSource<Upstream: Source<ImageRequest, DataEvent>>: Source {
    let upstream: Upstream
    let cache: DiskCache
    let threads: ThreadPoolScheduler

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let key = request.dataKey
            if let entry = cache.entry(for: key) {
                let response = DataResponse(provenance: .disk, expectedLength: entry.bodyLength)
                return ChunkSequence(size: entry.bodyLength) { range in
                    do throws(SystemError) {
                        return try entry.read(at: range.lowerBound)
                    } catch {
                        cache.report(error)
                        throw error
                    }
                }
                .events(after: response) { .file(path: cache.path(of: key), reason: "\($0)") }
            }
            let recorder = BodyRecorder(cache: cache, key: key)
            return upstream.events(for: request)
                .receive(on: threads)
                .handleEvents(
                    receiveOutput: { recorder.record($0) },
                    receiveCompletion: { recorder.end($0) }
                )
                .eraseToAnyPublisher()
        }.subscribe(on: threads).eraseToAnyPublisher()
    }
}

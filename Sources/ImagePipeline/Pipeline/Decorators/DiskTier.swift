import Streams

/// A disk cache of bodies and the threads that read and write it, for the sources that keep bodies in it.
struct DiskTier: Sendable {
    let cache: DiskCache
    /// The entries that may be open at once. Who waits holds nothing.
    let gate: AdmissionGate<Never>
    let threads: ThreadPoolScheduler

    /// The body of an entry that the closure lets pass; nothing for any other, and for a miss.
    ///
    /// A miss leaves the gate before it turns elsewhere, where it may take as long as it likes.
    func hit(
        _ key: CacheKey, priority: LoadPriority, if mayServe: @escaping @Sendable (DiskEntry) -> Bool
    ) -> AnyPublisher<DataEvent, LoadError> {
        gate.admitting(priority: priority) {
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                guard let entry = cache.entry(for: key), mayServe(entry) else { return Empty().eraseToAnyPublisher() }
                return events(of: entry)
            }.subscribe(on: threads).eraseToAnyPublisher()
        }
    }

    /// Keeps a body that passes by.
    ///
    /// - Parameter metadata: Returns the bytes kept beside it; nil where it may not be stored.
    func recorded(
        _ events: AnyPublisher<DataEvent, LoadError>, by key: CacheKey,
        metadata: @escaping @Sendable (DataResponse) -> [UInt8]?
    ) -> AnyPublisher<DataEvent, LoadError> {
        let recorder = BodyRecorder(cache: cache, key: key, metadata: metadata)
        return
            events
            .receive(on: threads)
            .map { event in
                recorder.record(event)
                guard case .response(var response) = event else { return event }
                let own = discarding { [fate = recorder.fate] in
                    fate.discard()
                    return false
                }
                // What is below may keep something of it, too.
                response.discard =
                    response.discard.map { below in
                        { @Sendable in own().flatMap { _ in below() }.eraseToAnyPublisher() }
                    } ?? own
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

import Streams

/// Writes a body that passes by into the disk cache, and publishes it if it came whole.
///
/// Only the serial signals of one stream use it, so that nothing is locked while the disk is written.
struct BodyRecorder: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let recording = SerialState<Recording?>(nil)

    private struct Recording: ~Copyable {
        var writer: DiskEntryWriter
        let expectedLength: Int?
        var received = 0
    }

    init(cache: DiskCache, key: CacheKey) {
        self.cache = cache
        self.key = key
    }

    func record(_ event: DataEvent) {
        recording.withValue { recording in
            switch event {
            case .response(let response):
                recording = nil
                let expectedLength = response.expectedLength
                guard response.isStorable, let writer = cache.writer(for: key, expectedLength: expectedLength) else {
                    return
                }
                recording = Recording(writer: writer, expectedLength: expectedLength)
            case .chunk(let bytes):
                recording?.received += bytes.count
                recording?.writer.append(bytes)
            }
        }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        guard case .finished = completion else { return }
        recording.withValue { recording in
            guard let ended = recording.take(), ended.expectedLength ?? ended.received == ended.received else { return }
            ended.writer.publish()
        }
    }
}

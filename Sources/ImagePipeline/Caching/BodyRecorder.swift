import Streams
import Synchronization

/// Writes a body that passes by into the disk cache, and publishes it if it came whole.
///
/// One stream's signals are serial: the lock is never contended. It is what lets a value without copies be shared, and
/// is not held while the disk is written.
final class BodyRecorder: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let recording = Mutex<Recording?>(nil)

    private struct Recording: ~Copyable, Sendable {
        var writer: DiskEntryWriter
        let expectedLength: Int?
        var received = 0
    }

    init(cache: DiskCache, key: CacheKey) {
        self.cache = cache
        self.key = key
    }

    func record(_ event: DataEvent) {
        var current = recording.withLock { $0.take() }
        switch event {
        case .response(let response):
            guard response.isStorable else { return }
            let expectedLength = response.expectedLength
            guard let writer = cache.writer(for: key, expectedLength: expectedLength) else { return }
            current = Recording(writer: writer, expectedLength: expectedLength)
        case .chunk(let bytes):
            current?.received += bytes.count
            current?.writer.append(bytes)
        }
        recording.withLock { $0 = current.take() }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        guard case .finished = completion, let ended = recording.withLock({ $0.take() }),
            ended.expectedLength ?? ended.received == ended.received
        else { return }
        ended.writer.publish()
    }
}

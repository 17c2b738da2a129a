import Streams
import Synchronization

/// Writes a body that passes by into the disk cache, and publishes it if it came whole.
///
/// Only the serial signals of one stream record, so that nothing is locked while the disk is written. Any thread may discard.
final class BodyRecorder: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let recording = SerialState<Recording?>(nil)
    private let isDiscarded = Atomic(false)

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
        guard case .finished = completion, !isDiscarded.load(ordering: .sequentiallyConsistent) else { return }
        let isPublished = recording.withValue { recording in
            guard let ended = recording.take(), ended.expectedLength ?? ended.received == ended.received else {
                return false
            }
            return ended.writer.publish()
        }
        // Of this and a discard at the same time, the second sees the effect of the first.
        if isPublished, isDiscarded.load(ordering: .sequentiallyConsistent) { cache.remove(key) }
    }

    /// Keeps nothing of the body, also where it is in the cache already.
    func discard() {
        isDiscarded.store(true, ordering: .sequentiallyConsistent)
        cache.remove(key)
    }
}

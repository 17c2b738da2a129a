import Streams
import Synchronization

/// Writes a body that passes by into the disk cache, and publishes it if it came whole.
///
/// Only the serial signals of one stream record, so that nothing is locked while the disk is written.
final class BodyRecorder: Sendable {
    /// Whether the body is kept. Apart from the recorder, as whoever holds on to it must not keep the file open.
    let fate: RecordedBodyFate
    private let recording = SerialState<Recording?>(nil)
    /// Returns the bytes kept beside the body of a response; nil where that may not be stored.
    private let metadata: @Sendable (DataResponse) -> [UInt8]?
    private var cache: DiskCache { fate.cache }

    private struct Recording: ~Copyable {
        var writer: DiskEntryWriter
        let expectedLength: Int?
        var received = 0
    }

    init(cache: DiskCache, key: CacheKey, metadata: @escaping @Sendable (DataResponse) -> [UInt8]?) {
        fate = RecordedBodyFate(cache: cache, key: key)
        self.metadata = metadata
    }

    func record(_ event: DataEvent) {
        recording.withValue { recording in
            switch event {
            case .response(let response):
                recording = nil
                let expectedLength = response.expectedLength
                guard response.isStorable, let metadata = metadata(response),
                    let writer = cache.writer(for: fate.key, metadata: metadata, expectedLength: expectedLength)
                else {
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
        guard case .finished = completion, !fate.isDiscarded else { return }
        let isPublished = recording.withValue { recording in
            guard let ended = recording.take(), ended.expectedLength ?? ended.received == ended.received else {
                return false
            }
            return ended.writer.publish()
        }
        // Of this and a discard at the same time, the second sees the effect of the first.
        if isPublished, fate.isDiscarded { cache.remove(fate.key) }
    }
}

/// The mark that a body is of no use. Any thread may set it.
final class RecordedBodyFate: Sendable {
    fileprivate let cache: DiskCache
    fileprivate let key: CacheKey
    private let mark = Atomic(false)

    fileprivate init(cache: DiskCache, key: CacheKey) {
        self.cache = cache
        self.key = key
    }

    fileprivate var isDiscarded: Bool { mark.load(ordering: .sequentiallyConsistent) }

    /// Keeps nothing of the body, also where it is in the cache already.
    func discard() {
        mark.store(true, ordering: .sequentiallyConsistent)
        cache.remove(key)
    }
}

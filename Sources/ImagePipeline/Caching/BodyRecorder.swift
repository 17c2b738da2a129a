import Streams
import Synchronization

/// Writes a body that passes by into the disk cache, and publishes it if it came whole.
///
/// The lock is never contended: one stream's signals are serial. It is what lets a value without copies be shared.
final class BodyRecorder: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let state = Mutex(State())

    private struct State: ~Copyable, Sendable {
        var writer: DiskEntryWriter?
        var expectedLength: Int?
        var received = 0
    }

    init(cache: DiskCache, key: CacheKey) {
        self.cache = cache
        self.key = key
    }

    func record(_ event: DataEvent) {
        state.withLock { state in
            switch event {
            case .response(let response):
                state.expectedLength = response.expectedLength
                if response.isStorable { state.writer = cache.writer(for: key) }
            case .chunk(let bytes):
                state.received += bytes.count
                state.writer?.append(bytes)
            }
        }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        guard case .finished = completion else { return }
        state.withLock { state in
            guard state.expectedLength ?? state.received == state.received, let writer = state.writer.take() else {
                return
            }
            writer.publish()
        }
    }
}

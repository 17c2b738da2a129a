import Streams
import Synchronization

/// A body on its way to the disk, which is kept there only if it was cut, for the next load to continue.
///
/// One thread after the other calls it, and may block.
final class PartialBodyWriting: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let requestHeaders: [HTTPField]
    /// The beginning that is there already.
    private let present: PartialBody?
    /// Whether a response with the same tag is taken for one of the same body.
    private let continues: Bool
    private let recording = SerialState<Recording?>(nil)
    private let isDiscarded = Atomic(false)

    /// A smaller body is loaded in the time that asking for its rest takes.
    private static let smallest = 32 << 10

    private struct Recording: ~Copyable {
        var writer: DiskEntryWriter
        /// The number of bytes from which on they are worth more than what is there.
        let worth: Int
        var received = 0
    }

    init(cache: DiskCache, key: CacheKey, requestHeaders: [HTTPField], present: PartialBody?, continues: Bool) {
        self.cache = cache
        self.key = key
        self.requestHeaders = requestHeaders
        self.present = present
        self.continues = continues
    }

    var hasBeginning: Bool { present != nil }

    func begin(_ response: DataResponse) {
        recording.withValue { $0 = nil }
        let now = cache.wallClock
        let stored = response.head.flatMap {
            StoredResponse($0, to: requestHeaders, requestTime: now, responseTime: now)
        }
        let tag = stored?.strongTag
        let isContinuation = continues && tag != nil && tag == present?.entityTag
        // The response is newer, also if nothing of it can be kept.
        if !isContinuation { present?.remove() }
        guard response.isStorable, let stored, tag != nil, let total = response.expectedLength, total >= Self.smallest,
            stored.values("content-length") == ["\(total)"]
        else { return }
        let worth = isContinuation ? present?.length ?? 0 : 0
        recording.withValue { [cache, key] recording in
            guard let writer = cache.writer(for: key, metadata: stored.metadata, expectedLength: total) else { return }
            recording = Recording(writer: writer, worth: worth)
        }
    }

    func append(_ bytes: [UInt8]) {
        recording.withValue { recording in
            recording?.received += bytes.count
            recording?.writer.append(bytes)
        }
    }

    /// The bytes that have come are dropped, and the beginning that was there before stays.
    func forget() {
        recording.withValue { $0 = nil }
    }

    /// Nothing is left of the body.
    func remove() {
        forget()
        present?.remove()
    }

    /// The bytes that have come are kept, if they are worth more than those that are there.
    func keep() {
        let isKept = recording.withValue { recording in
            guard let cut = recording.take(), !isDiscarded.load(ordering: .sequentiallyConsistent),
                cut.received > cut.worth
            else { return false }
            return cut.writer.publish()
        }
        // Of this and a discard at the same time, the second sees the effect of the first.
        if isKept, isDiscarded.load(ordering: .sequentiallyConsistent) { cache.remove(key) }
    }

    /// A body that nothing can be made of is not to be continued either. Any thread may call it.
    func discard() {
        isDiscarded.store(true, ordering: .sequentiallyConsistent)
        cache.remove(key)
    }
}

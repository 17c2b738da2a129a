import Streams
import Synchronization

/// A body on its way to the disk, which is kept there only if it was cut, for the next load to continue.
///
/// One thread after the other calls it, and may block.
final class PartialBodyWriting: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    /// The key of the whole body.
    private let bodyKey: CacheKey
    private let brought: WriteOrder.Load
    private let asked: AskingTime
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
        let response: StoredResponse
        /// The number of bytes from which on they are worth more than what is there.
        let worth: Int
        var received = 0
    }

    /// The load begins.
    init(_ request: ImageRequest, in cache: DiskCache, by load: StoreLoad, present: PartialBody?, continues: Bool) {
        self.cache = cache
        (key, bodyKey) = (load.key, request.dataKey)
        (brought, asked) = (load.begin(), AskingTime(now: cache.wallClock))
        requestHeaders = request.headers
        self.present = present
        self.continues = continues
    }

    func begin(_ response: DataResponse) {
        recording.withValue { $0 = nil }
        let stored = response.head.flatMap {
            StoredResponse($0, to: requestHeaders, requestTime: asked.sinceEpoch, responseTime: cache.wallClock)
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
            recording = Recording(writer: writer, response: stored, worth: worth)
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

    /// Nothing is left of the body, unless a load that began later has left it.
    func remove() {
        forget()
        if brought.place(asked: asked) != nil { cache.remove(key) }
    }

    /// The bytes that have come are kept, if they are worth more than those that are there, and nothing newer has come meanwhile.
    func keep() {
        let place = recording.withValue { recording -> WriteOrder.Place? in
            guard let cut = recording.take(), !isDiscarded.load(ordering: .sequentiallyConsistent),
                cut.received > cut.worth, !isOutdated(cut.response), let place = brought.place(asked: asked),
                cut.writer.publish()
            else { return nil }
            return place
        }
        // Of this and a discard at the same time, the second sees the effect of the first. Of two beginnings nobody knows which came last.
        guard let place, isDiscarded.load(ordering: .sequentiallyConsistent) || !place.isNewest else { return }
        cache.remove(key)
    }

    /// Whether another process has put a newer body beside it.
    private func isOutdated(_ response: StoredResponse) -> Bool {
        guard let present = try? cache.metadata(for: bodyKey) else { return false }
        return response.isOlder(than: present, at: cache.wallClock)
    }

    /// A body that nothing can be made of is not to be continued either. Any thread may call it.
    func discard() {
        isDiscarded.store(true, ordering: .sequentiallyConsistent)
        cache.remove(key)
    }
}

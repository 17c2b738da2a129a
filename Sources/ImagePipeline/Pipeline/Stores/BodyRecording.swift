import Streams
import Synchronization

/// A body on its way into a store. Only one thread at a time writes; any may discard.
final class BodyRecording: Sendable {
    private struct Writing {
        let writer: any BodyWriter
        /// The writer too, where its body can be read meanwhile.
        let readable: (any ReadableBodyWriter)?
        let arrived: ArrivedBody
        let metadata: [UInt8]
        let provenance: Provenance
        let expectedLength: Int?
        var received = 0
    }

    private let store: any BodyStore
    private let key: CacheKey
    private let brought: WriteOrder.Load
    private let isOlder: StoreLoad.IsOlder?
    private let writing = SerialState<Writing?>(nil)
    private let isDiscarded = Atomic(false)
    private let settled = Atomic(false)

    /// - Parameters:
    ///   - brought: The load that brings it.
    ///   - isOlder: Returns whether the body is older than the one that the store has.
    init(in store: any BodyStore, as key: CacheKey, by brought: WriteOrder.Load, unless isOlder: StoreLoad.IsOlder?) {
        self.store = store
        self.key = key
        self.brought = brought
        self.isOlder = isOlder
    }

    /// - Parameters:
    ///   - metadata: The bytes kept beside the body; nil where it may not be stored.
    ///   - arrived: notes what can be read of the body while it is written.
    /// - Returns: Whether there is a writer now, to be released or published.
    func begin(_ response: DataResponse, _ metadata: [UInt8]?, noting arrived: ArrivedBody) throws -> Bool {
        release()
        guard let metadata,
            let writer = try store.bodyWriter(
                for: key, metadata: metadata, expectedLength: response.expectedLength)
        else {
            arrived.end()
            return false
        }
        let readable = writer as? any ReadableBodyWriter
        if readable == nil { arrived.end() }
        writing.withValue {
            $0 = Writing(
                writer: writer, readable: readable, arrived: arrived, metadata: metadata,
                provenance: response.provenance, expectedLength: response.expectedLength)
        }
        return true
    }

    func append(_ bytes: [UInt8]) throws {
        try writing.withValue { writing in
            guard let current = writing else { return }
            writing?.received += bytes.count
            try current.writer.append(bytes)
            if let readable = current.readable { current.arrived.note(readable.written) }
        }
    }

    /// Whether the body has taken its place in the store, or one that is newer has it.
    var isSettled: Bool { settled.load(ordering: .acquiring) }

    /// Makes the body visible if it is whole and of use, and none that is newer has come meanwhile.
    func publish() throws {
        let place = try writing.withValue { writing -> WriteOrder.Place? in
            guard let ended = writing.take(), !isDiscarded.load(ordering: .sequentiallyConsistent),
                ended.expectedLength ?? ended.received == ended.received
            else { return nil }
            guard try !isOutdated(ended), let place = brought.place(for: ended.provenance) else {
                settled.store(true, ordering: .releasing)
                return nil
            }
            guard try ended.writer.publish() else { return nil }
            settled.store(true, ordering: .releasing)
            return place
        }
        // Of this and a discard at the same time, the second sees the effect of the first. Of two bodies nobody knows which came last.
        guard let place, isDiscarded.load(ordering: .sequentiallyConsistent) || !place.isNewest else { return }
        try store.removeBody(for: key)
    }

    private func isOutdated(_ ended: Writing) throws -> Bool {
        guard let isOlder, let present = try store.metadata(for: key) else { return false }
        return isOlder(ended.metadata, present)
    }

    /// Lets go of the writer, if there is one.
    func release() {
        writing.withValue { $0 = nil }
    }

    /// Keeps nothing of the body, also where it is in the store already.
    func discard() throws {
        isDiscarded.store(true, ordering: .sequentiallyConsistent)
        try store.removeBody(for: key)
    }
}

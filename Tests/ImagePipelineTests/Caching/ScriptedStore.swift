import Dispatch
import Files
import Synchronization

@testable import ImagePipeline

/// A store in memory that does what a test says: answers, fails, or hangs until it is let go.
final class ScriptedStore: BodyStore {
    enum Mood: Sendable {
        case well, failing
        /// Every call waits until the test lets it go.
        case hanging
    }

    struct Failure: Error {}

    struct State {
        var mood = Mood.well
        /// The number of pieces of a body after which reading does what the mood says; before, all is well.
        var goodPieces = 0
        var bodies: [CacheKey: [UInt8]] = [:]
        var calls = 0
        /// The beginnings of the pieces that have been read, in their order.
        var offsets: [Int] = []
        var hung = 0
    }

    let terms: StoreTerms
    let state = Mutex(State())
    private let release = DispatchSemaphore(value: 0)

    init(terms: StoreTerms = StoreTerms(timeLimit: .seconds(1), failures: 3, pause: .seconds(60), leaseTime: nil)) {
        self.terms = terms
    }

    var calls: Int { state.withLock { $0.calls } }

    func set(_ mood: Mood, goodPieces: Int = 0) {
        state.withLock { ($0.mood, $0.goodPieces) = (mood, goodPieces) }
    }

    /// Waits until so many calls hang.
    func waitForHung(_ count: Int) {
        while state.withLock({ $0.hung }) < count { sched_yield() }
    }

    func letGo() {
        let hung = state.withLock { state in
            defer { (state.mood, state.hung) = (.well, 0) }
            return state.hung
        }
        for _ in 0..<hung { release.signal() }
    }

    func storedBody(for key: CacheKey) throws -> (any StoredBody)? {
        if state.withLock({ $0.goodPieces }) == 0 { try act() }
        return state.withLock { $0.bodies[key] }.map { Body(store: self, bytes: $0) }
    }

    func hasBody(for key: CacheKey) throws -> Bool { state.withLock { $0.bodies[key] != nil } }

    func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)? {
        try act()
        return Writer(store: self, key: key)
    }

    func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws { try act() }

    func removeBody(for key: CacheKey) throws {
        try act()
        state.withLock { $0.bodies[key] = nil }
    }

    fileprivate func act() throws {
        let mood = state.withLock { state in
            state.calls += 1
            if state.mood == .hanging { state.hung += 1 }
            return state.mood
        }
        switch mood {
        case .well: break
        case .failing: throw Failure()
        case .hanging: release.wait()
        }
    }

    private struct Body: StoredBody {
        let store: ScriptedStore
        let bytes: [UInt8]
        var metadata: [UInt8] { [] }
        var bodyLength: Int { bytes.count }
        var removal: @Sendable () throws -> Void { {} }

        func chunk(at offset: Int) throws -> [UInt8] {
            let isGood = store.state.withLock { state in
                state.goodPieces -= 1
                state.offsets.append(offset)
                return state.goodPieces >= 0
            }
            if !isGood { try store.act() }
            return Array(bytes[offset..<min(offset + 1_000, bytes.count)])
        }
    }

    private final class Writer: ReadableBodyWriter {
        let store: ScriptedStore
        let key: CacheKey
        let bytes = Mutex<[UInt8]>([])

        init(store: ScriptedStore, key: CacheKey) {
            self.store = store
            self.key = key
        }

        func append(_ new: [UInt8]) throws {
            try store.act()
            bytes.withLock { $0 += new }
        }

        var written: WrittenBody? {
            let bytes = bytes.withLock { $0 }
            return WrittenBody(length: bytes.count) { [store] in
                try store.act()
                return Array(bytes[$0])
            }
        }

        func publish() throws -> Bool {
            try store.act()
            let bytes = bytes.withLock { $0 }
            store.state.withLock { $0.bodies[key] = bytes }
            return true
        }
    }
}

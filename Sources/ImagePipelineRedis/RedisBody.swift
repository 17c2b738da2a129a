import CZlib
import ImagePipeline
import Synchronization

/// A body in Redis: one field for each 64 KiB, which begins with the header's nonce and a checksum, which is also that of its number.
struct RedisBody: StoredBody {
    static let pieceSize = 64 << 10

    let store: RedisStore
    let name: String
    let header: RedisHeader

    var metadata: [UInt8] { header.metadata }
    var bodyLength: Int { header.bodyLength }

    var removal: @Sendable () throws -> Void {
        { [store, name, nonce = header.nonce] in
            _ = try store.connections.command(
                "EVAL",
                """
                local h = redis.call('HGET', KEYS[1], 'h')
                if h and string.sub(h, 2, 9) == ARGV[1] then redis.call('DEL', KEYS[1]) end
                return 1
                """, "1", name, nonce)
        }
    }

    func chunk(at offset: Int) throws -> [UInt8] {
        guard offset >= 0, offset < bodyLength else { return [] }
        let index = offset / Self.pieceSize
        guard case .bytes(let piece) = try store.connections.command("HGET", name, "\(index)") else {
            try removal()
            throw DamagedBody("a piece of the body is gone")
        }
        let bytes = Array(piece.dropFirst(12))
        guard bytes.count == min(Self.pieceSize, bodyLength - index * Self.pieceSize),
            piece == Self.piece(bytes, index, nonce: header.nonce)
        else {
            // It would be damaged for the next load, too.
            try removal()
            throw DamagedBody("a piece of the body is damaged, or that of another one")
        }
        return Array(bytes.dropFirst(offset - index * Self.pieceSize))
    }

    static func piece(_ bytes: [UInt8], _ index: Int, nonce: [UInt8]) -> [UInt8] {
        let checksum = checksum(nonce + littleEndian(UInt64(index), count: 8) + bytes)
        return nonce + littleEndian(UInt64(checksum), count: 4) + bytes
    }
}

/// Writes a body under a name of its own, which the server removes soon unless it is renamed.
final class RedisBodyWriter: BodyWriter {
    private static let unfinishedTime = 60_000

    private let store: RedisStore
    private let name: String
    private let temporaryName: String
    private let nonce: [UInt8]
    private let metadata: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var rest: [UInt8] = []
        var pieces = 0
        var length = 0
        /// It was published, is too large, or was refused.
        var isOver = false
        var isPublished = false
    }

    init(store: RedisStore, name: String, metadata: [UInt8]) {
        self.store = store
        self.name = name
        self.metadata = metadata
        nonce = (0..<8).map { _ in UInt8.random(in: .min ... .max) }
        temporaryName =
            "\(store.prefix)new:\(nonce.reduce("") { $0 + String($1, radix: 16) })\(UInt64.random(in: 0 ... .max))"
    }

    deinit {
        let hasPieces = state.withLock { !$0.isPublished && $0.pieces > 0 }
        if hasPieces { _ = try? store.connections.command("DEL", temporaryName) }
    }

    func append(_ bytes: [UInt8]) throws {
        let (pieces, first) = state.withLock { state -> ([[UInt8]], Int) in
            state.length += bytes.count
            guard !state.isOver, state.length <= store.largestBody else {
                (state.isOver, state.rest) = (true, [])
                return ([], 0)
            }
            state.rest += bytes
            var pieces: [[UInt8]] = []
            while state.rest.count >= RedisBody.pieceSize {
                pieces.append(Array(state.rest.prefix(RedisBody.pieceSize)))
                state.rest.removeFirst(RedisBody.pieceSize)
            }
            defer { state.pieces += pieces.count }
            return (pieces, state.pieces)
        }
        try unlessRefused { for (index, piece) in pieces.enumerated() { try write(piece, at: first + index) } }
    }

    func publish() throws -> Bool {
        let ended = state.withLock { state -> State? in
            if state.isOver { return nil }
            defer { state.isOver = true }
            return state
        }
        guard let ended else { return false }
        return try unlessRefused { try publish(ended) }
    }

    private func publish(_ ended: State) throws {
        if !ended.rest.isEmpty { try write(ended.rest, at: ended.pieces) }
        let header = RedisHeader(bodyLength: ended.length, metadata: metadata, nonce: nonce, name: name)
        _ = try store.connections.command("HSET", temporaryName, RedisHeader.field, header.bytes)
        _ = try store.connections.command("PEXPIRE", temporaryName, "\(Self.unfinishedTime)")
        // Its own time comes last: whatever a lost connection leaves behind is gone after that of an unfinished body.
        _ = try store.connections.command("RENAME", temporaryName, name)
        state.withLock { $0.isPublished = true }
        _ = try store.connections.command("PEXPIRE", name, "\(milliseconds(store.age))")
    }

    /// Gives up where a server that is well does not take it: that is no fault that reading from it has to suffer from.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    private func unlessRefused(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as RedisError where error.isRefusal {
            state.withLock { ($0.isOver, $0.rest) = (true, []) }
            return false
        }
    }

    private func write(_ piece: [UInt8], at index: Int) throws {
        _ = try store.connections.command(
            "HSET", temporaryName, "\(index)", RedisBody.piece(piece, index, nonce: nonce))
        _ = try store.connections.command("PEXPIRE", temporaryName, "\(Self.unfinishedTime)")
    }
}

/// A lease as a key that holds the holder's token until its time is over.
struct RedisLease: StoreLease {
    private let store: RedisStore
    private let name: String
    private let time: Duration
    private let token = (0..<16).map { _ in UInt8.random(in: .min ... .max) }

    init(store: RedisStore, name: String, time: Duration) {
        self.store = store
        self.name = name
        self.time = time
    }

    func take() throws -> Bool {
        try store.connections.command("SET", name, token, "NX", "PX", "\(milliseconds(time))") == .status("OK")
    }

    func renew() throws {
        _ = try store.connections.command(
            "EVAL",
            "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 1",
            "1", name, token, "\(milliseconds(time))")
    }

    func release() throws {
        _ = try store.connections.command(
            "EVAL", "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1", "1", name,
            token)
    }
}

func milliseconds(_ time: Duration, least: Int = 1) -> Int {
    let (seconds, attoseconds) = time.components
    return max(least, Int(clamping: min(seconds, 1 << 40)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
}

func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_z(0, bytes, bytes.count))
}

func littleEndian(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

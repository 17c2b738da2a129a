import ImagePipeline
import Synchronization

/// Collects a body in pieces, and writes its object when it is whole.
final class ObjectBodyWriter: BodyWriter {
    private let name: String
    private let store: ObjectStore
    private let metadata: [UInt8]
    private let nonce: [UInt8]
    /// Nil once it is too large, or has been published.
    private let body = Mutex<Body?>(Body())

    private struct Body: ~Copyable, Sendable {
        var spool = ObjectSpool()
        var length = 0
        /// The bytes behind the last whole piece.
        var rest: [UInt8] = []
        var pieces = 0

        mutating func endPiece(_ header: ObjectHeader) throws {
            let piece = Array(rest.prefix(ObjectHeader.pieceSize))
            try spool.append(header.piece(piece, pieces))
            rest.removeFirst(piece.count)
            pieces += 1
        }
    }

    init(named name: String, in store: ObjectStore, metadata: [UInt8], nonce: [UInt8]? = nil) {
        self.name = name
        self.store = store
        self.metadata = metadata
        self.nonce = nonce ?? (0..<8).map { _ in UInt8.random(in: .min ... .max) }
    }

    func append(_ bytes: [UInt8]) throws {
        let header = header(0)
        try body.withLock { body in
            guard var growing = body.take(), growing.length + bytes.count <= store.largestBody else { return }
            growing.length += bytes.count
            growing.rest += bytes
            while growing.rest.count >= ObjectHeader.pieceSize { try growing.endPiece(header) }
            body = .some(growing)
        }
    }

    func publish() throws -> Bool {
        guard var whole = body.withLock({ $0.take() }) else { return false }
        let header = header(whole.length)
        if !whole.rest.isEmpty { try whole.endPiece(header) }
        return try store.requests.write(ObjectPayload(header: header.bytes, pieces: whole.spool), to: name)
    }

    private func header(_ length: Int) -> ObjectHeader {
        ObjectHeader(nonce: nonce, written: store.wallClock, bodyLength: length, metadata: metadata, name: name)
    }
}

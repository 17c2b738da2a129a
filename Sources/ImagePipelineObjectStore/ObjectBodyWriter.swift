import ImagePipeline
import Synchronization

/// Collects a body, and writes its object when it is whole.
final class ObjectBodyWriter: BodyWriter {
    private let name: String
    private let store: ObjectStore
    private let metadata: [UInt8]
    private let nonce: [UInt8]
    /// Nil once it is too large, or has been published.
    private let body = Mutex<[UInt8]?>([])

    init(named name: String, in store: ObjectStore, metadata: [UInt8], nonce: [UInt8]? = nil) {
        self.name = name
        self.store = store
        self.metadata = metadata
        self.nonce = nonce ?? (0..<8).map { _ in UInt8.random(in: .min ... .max) }
    }

    func append(_ bytes: [UInt8]) throws {
        body.withLock { body in
            if let count = body?.count, count + bytes.count <= store.largestBody { body? += bytes } else { body = nil }
        }
    }

    func publish() throws -> Bool {
        guard let body = body.withLock({ $0.take() }) else { return false }
        let header = ObjectHeader(
            nonce: nonce, written: store.wallClock, bodyLength: body.count, metadata: metadata)
        var object = header.bytes
        object.reserveCapacity(object.count + body.count + body.count / 1_024 + 4)
        for (index, start) in stride(from: 0, to: body.count, by: ObjectHeader.pieceSize).enumerated() {
            object += header.piece(Array(body[start...].prefix(ObjectHeader.pieceSize)), index)
        }
        try store.requests.write(object, to: name)
        return true
    }
}

import ImagePipeline
import Synchronization

/// A body in an object, which is read a few pieces at a time.
final class ObjectBody: StoredBody {
    /// The bytes that one request reads: a whole image, often.
    private static let window = 256 << 10

    let name: String
    /// Nil for an object that is no body.
    let header: ObjectHeader?
    private let store: ObjectStore
    private let beginning: [UInt8]
    /// The bytes that were read last, and their offset in the object.
    private let newest: Mutex<(offset: Int, bytes: [UInt8])>

    var metadata: [UInt8] { header?.metadata ?? [] }
    var bodyLength: Int { header?.bodyLength ?? 0 }

    /// Reads the beginning; nil where there is no object.
    init?(named name: String, in store: ObjectStore) throws {
        guard let bytes = try store.requests.read(name, 0..<Self.window) else { return nil }
        self.name = name
        self.store = store
        header = ObjectHeader(bytes, of: name)
        beginning = Array(bytes.prefix(ObjectHeader.fixedSize))
        newest = Mutex((0, bytes))
    }

    /// True if it is there still, and not one that has taken its place.
    func isPresent() throws -> Bool {
        // An object may be shorter than a header is.
        try store.requests.read(name, 0..<ObjectHeader.fixedSize) == beginning
    }

    var removal: @Sendable () throws -> Void {
        let identity = header == nil ? beginning : Array(beginning.prefix(ObjectHeader.identitySize))
        return { [store, name] in
            if try store.requests.read(name, 0..<ObjectHeader.fixedSize)?.starts(with: identity) == true {
                try store.requests.remove(name)
            }
        }
    }

    func chunk(at offset: Int) throws -> [UInt8] {
        guard let header, offset >= 0, offset < bodyLength else { return [] }
        let index = offset / ObjectHeader.pieceSize
        let range = header.offset(of: index)..<header.offset(of: index) + header.length(of: index)
        let piece = try read(range)
        let bytes = Array(piece.dropFirst(4))
        guard piece.count == range.count, piece == header.piece(bytes, index) else {
            // It would be damaged for the next load, too. One that has other metadata by now stands elsewhere in the object.
            if try isPresent() { try store.requests.remove(name) }
            throw DamagedBody("a piece of the body is damaged, or that of another one")
        }
        return Array(bytes.dropFirst(offset - index * ObjectHeader.pieceSize))
    }

    private func read(_ range: Range<Int>) throws -> [UInt8] {
        let (offset, bytes) = newest.withLock { $0 }
        if offset <= range.lowerBound, range.upperBound <= offset + bytes.count {
            return Array(bytes[range.lowerBound - offset..<range.upperBound - offset])
        }
        guard let more = try store.requests.read(name, range.lowerBound..<range.lowerBound + Self.window) else {
            throw DamagedBody("the body is gone")
        }
        newest.withLock { $0 = (range.lowerBound, more) }
        return Array(more.prefix(range.count))
    }
}

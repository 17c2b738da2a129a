import Files

/// The bytes of an object on their way to the server: in memory while they are few, and beyond that in a file.
struct ObjectSpool: ~Copyable, Sendable {
    /// The most bytes that are kept in memory.
    private static let largestInMemory = 1 << 20

    private var bytes: [UInt8] = []
    private var file: FileDescriptor?
    private(set) var count = 0

    mutating func append(_ new: [UInt8]) throws(SystemError) {
        if count + new.count > Self.largestInMemory { try moveToFile() }
        switch file {
        case .some(let file): try file.write(new, at: count)
        case .none: bytes += new
        }
        count += new.count
    }

    /// Reads up to so many bytes; fewer only at the end.
    func read(_ length: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        switch file {
        case .some(let file): try file.read(length, at: offset)
        case .none: Array(bytes.dropFirst(offset).prefix(length))
        }
    }

    private var isInFile: Bool {
        switch file {
        case .some: true
        case .none: false
        }
    }

    private mutating func moveToFile() throws(SystemError) {
        if isInFile { return }
        let new = try FileDescriptor.unnamed()
        try new.write(bytes, at: 0)
        bytes = []
        file = .some(new)
    }
}

/// An object as it is sent: its header, and the pieces behind it.
final class ObjectPayload: Sendable {
    private let header: [UInt8]
    private let pieces: ObjectSpool

    var count: Int { header.count + pieces.count }

    init(header: [UInt8], pieces: consuming ObjectSpool) {
        self.header = header
        self.pieces = pieces
    }

    /// Reads up to so many bytes; fewer where the header ends, and at the end.
    func read(_ length: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        offset < header.count
            ? Array(header[offset...].prefix(length)) : try pieces.read(length, at: offset - header.count)
    }
}

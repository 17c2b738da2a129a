/// The bytes of a body that is on its way: in memory, or in the file that a cache is writing them to, or that they are read from.
///
/// Where there is such a file, memory holds what is not in the file yet, and what of the rest somebody has to read who is at most a
/// window behind. Who comes late, or is slower, reads the file. Elsewhere all that somebody has to read is in memory, and, as
/// long as the source's room lasts, all that somebody may come for.
struct BodyContents: Sendable {
    /// The next bytes at some place.
    enum Next: Sendable {
        case chunk([UInt8])
        case written(WrittenPieces)
    }

    /// The bytes in memory beyond which those that are in the file are left to it.
    static let window = 1 << 20
    /// The bytes that are read from the file at once, or one chunk.
    static let readBytes = 128 << 10

    private struct Chunk: Sendable {
        let start: Int
        let bytes: [UInt8]
        var end: Int { start + bytes.count }
    }

    private let room: KeptBytes
    private let arrived: ArrivedBody?
    private var chunks: [Chunk] = []
    /// The chunks in front of those, where a file has them or will have them.
    private var pieces: [WrittenPieces.Piece] = []
    /// The first byte in memory.
    private(set) var start = 0
    private(set) var end = 0
    /// Whether chunks are kept for who may come.
    private var keeps = true
    private var isComplete = false

    /// - Parameters:
    ///   - room: for what is in memory of all bodies of a source.
    ///   - arrived: what the cache below has written; nil where there is none.
    init(in room: KeptBytes, arrived: ArrivedBody? = nil) {
        self.room = room
        self.arrived = arrived
    }

    /// Whether somebody who comes now can be given all of it.
    var hasBeginning: Bool { start == 0 || start <= arrived?.length ?? 0 }

    /// The bytes that stay in memory for somebody at a place until they have been read. Those that are about to be written do not.
    func held(for position: Int) -> Int {
        guard let arrived else { return end - position }
        return arrived.isGrowing ? 0 : end - max(position, min(end, arrived.length))
    }

    /// The number of pieces from a place on, or less.
    func count(from position: Int) -> Int {
        guard position < start else { return chunks.count - index(of: position) }
        return chunks.count + (start - position + Self.readBytes - 1) / Self.readBytes
    }

    /// The bytes at a place that begins a chunk; nil at the end.
    func next(at position: Int) -> Next? {
        if position < start {
            guard let arrived else { return nil }
            return .written(WrittenPieces(from: position, of: pieces, in: arrived))
        }
        return position < end ? .chunk(chunks[index(of: position)].bytes) : nil
    }

    mutating func append(_ bytes: [UInt8]) {
        // Two chunks of one place could not be told apart.
        if bytes.isEmpty { return }
        chunks.append(Chunk(start: end, bytes: bytes))
        end += bytes.count
        if !room.take(bytes.count) { keeps = false }
    }

    /// No more comes, and nobody.
    mutating func complete() {
        (keeps, isComplete) = (false, true)
    }

    /// Lets go of what need not be in memory any more.
    ///
    /// - Parameter isRead: whether nobody who is there has to read the bytes in front of a place.
    mutating func trim(isRead: (Int) -> Bool) {
        let written = arrived?.length ?? 0
        // What is about to be written is in memory for the writer in any case.
        let keepsUnwritten = keeps || (!isComplete && arrived?.isGrowing ?? false)
        var count = 0
        for chunk in chunks {
            let isWritten = chunk.end <= written
            let isLeftToTheFile = isWritten && end - chunk.start > Self.window
            guard isLeftToTheFile || ((isWritten || !keepsUnwritten) && isRead(chunk.end)) else { break }
            count += 1
        }
        guard count > 0 else { return }
        if arrived != nil { pieces += chunks.prefix(count).map { .init(end: $0.end, of: $0.bytes) } }
        let rest = chunks[count...].first?.start ?? end
        room.free(rest - start)
        chunks.removeFirst(count)
        start = rest
    }

    /// Gives back the room; the rest of its life is without use.
    func free() {
        room.free(end - start)
    }

    /// The chunk that begins at a place, or the number of chunks at the end.
    private func index(of position: Int) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].start < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

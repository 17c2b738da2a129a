import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("What of a body on its way is in memory")
struct BodyContentsTests {
    private enum Step: Sendable {
        case append(Int)
        /// So many thousandths of what has come are in the file.
        case write(Int)
        case endWriting
        case join
        case read(reader: Int, chunks: Int)
        case leave(Int)
        case complete
    }

    private static let steps = Gen<Step> { choices in
        switch choices.int(in: 0...11) {
        case 0...3: .append(choices.element(of: [0, 1, 16 << 10, 60_000, 64 << 10, 300 << 10]))
        case 4, 5: .write(choices.int(in: 0...1_000))
        case 6...8: .read(reader: choices.int(in: 0...5), chunks: choices.int(in: 1...60))
        case 9: choices.chance(1, of: 8) ? .complete : .join
        case 10: choices.chance(1, of: 8) ? .endWriting : .join
        default: .leave(choices.int(in: 0...5))
        }
    }

    /// A store whose only use is its terms: what is read of the file is the model's.
    private let load = StoreTier(
        ScriptedStore(), openBodies: 1, threads: ThreadPoolScheduler(width: 1), clock: .system
    ).load(of: CacheKey(["a"]), priority: .normal)

    @Test(
        "Readers find every byte in order, in memory or in the file, which alone has what nobody needs in memory",
        arguments: [true, false])
    func model(hasFile: Bool) throws {
        try forAll("contents", Self.steps.array(upTo: 120), cases: 100, describe: { "\($0)" }) { steps in
            let arrived = hasFile ? ArrivedBody(readBy: load.reading) : nil
            let room = KeptBytes(limit: 2 << 20)
            var contents = BodyContents(in: room, arrived: arrived)
            var body: [UInt8] = []
            var positions: [Int] = []
            var isComplete = false
            var isWritten = false
            func trim() {
                let readers = positions
                contents.trim { end in readers.allSatisfy { $0 >= end } }
            }
            for step in steps {
                switch step {
                case .append(let count) where !isComplete:
                    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: body.count >> 3), count: count)
                    body += bytes
                    contents.append(bytes)
                case .write(let part):
                    guard let arrived, !isWritten, !isComplete else { break }
                    // What is written may have passed by there before it comes here.
                    let length = max(arrived.length, body.count / 1_000 * part + (part > 900 ? 5_000 : 0))
                    arrived.note(WrittenBody(length: length) { _ in [] })
                case .endWriting:
                    arrived?.end()
                    isWritten = true
                case .join:
                    if !isComplete, contents.hasBeginning { positions.append(0) }
                case .read(let reader, let chunks) where positions.indices.contains(reader):
                    for _ in 0..<chunks {
                        let position = positions[reader]
                        guard let next = contents.next(at: position) else {
                            if position < body.count { throw Disproof("nothing at \(position) of \(body.count)") }
                            break
                        }
                        switch next {
                        case .chunk(let bytes):
                            guard bytes == Array(body[position..<position + bytes.count]) else {
                                throw Disproof("bytes")
                            }
                            positions[reader] += bytes.count
                        case .written(let pieces):
                            guard pieces.range.lowerBound == position, pieces.range.upperBound <= arrived?.length ?? 0
                            else { throw Disproof("\(pieces.range) at \(position)") }
                            var bytes = Array(body[pieces.range])
                            guard pieces.areSound(bytes) else { throw Disproof("checksum") }
                            bytes[bytes.count / 2] ^= 1
                            if pieces.areSound(bytes) { throw Disproof("damage") }
                            positions[reader] = pieces.range.upperBound
                        }
                        trim()
                    }
                case .leave(let reader) where positions.indices.contains(reader): positions.remove(at: reader)
                case .complete:
                    isComplete = true
                    contents.complete()
                default: break
                }
                trim()
                for position in positions {
                    let unread = body.count - position
                    // What is in a file need not be held, nor what is about to be.
                    let held = arrived.map { isWritten ? min(unread, max(0, body.count - $0.length)) : 0 } ?? unread
                    guard contents.held(for: position) == held else { throw Disproof("\(held) held at \(position)") }
                }
                let kept = contents.end - contents.start
                if let arrived, arrived.isGrowing, !isComplete {
                    // The unwritten, and a window of what somebody has to read; a chunk is whole on either side.
                    let slack = 300 << 10
                    let unwritten = body.count - arrived.length
                    let most = max(unwritten, BodyContents.window) + slack
                    guard kept <= most else { throw Disproof("\(kept) bytes kept") }
                    guard contents.hasBeginning else { throw Disproof("nobody may join") }
                    if positions.isEmpty, kept > unwritten + slack { throw Disproof("\(kept) bytes for nobody") }
                }
                if isComplete, positions.isEmpty, kept > 0 { throw Disproof("\(kept) bytes after the end") }
            }
            contents.free()
            guard room.bytes == 0 else { throw Disproof("\(room.bytes) bytes of the room are gone") }
        }
    }

    @Test("As many chunks are read from the file at once as are 128 KB, or one that is larger")
    func pieces() throws {
        let sizes = Gen<Int> { choices in choices.element(of: [1, 4_096, 60_000, 64 << 10, 128 << 10, 300 << 10]) }
        try forAll("pieces", sizes.array(upTo: 12), cases: 200) { sizes in
            var ends: [Int] = []
            for size in sizes { ends.append((ends.last ?? 0) + size) }
            let pieces = zip(ends, sizes).map { WrittenPieces.Piece(end: $0, of: [UInt8](repeating: 7, count: $1)) }
            for (first, size) in zip(ends.indices, sizes) {
                let start = ends[first] - size
                let read = WrittenPieces(from: start, of: pieces, in: ArrivedBody(readBy: load.reading)).range
                let end = ends[first...].last { $0 - start <= BodyContents.readBytes } ?? ends[first]
                if read != start..<end { throw Disproof("\(read) instead of \(start..<end)") }
            }
        }
    }
}

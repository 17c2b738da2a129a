import Streams

/// Chunks of a body that follow each other, to be read from the file that they were written to.
struct WrittenPieces: Sendable {
    /// A chunk that is no longer in memory.
    struct Piece: Sendable {
        let end: Int
        let checksum: UInt64

        init(end: Int, of bytes: [UInt8]) {
            self.end = end
            checksum = Checksum(bytes).value
        }
    }

    /// The place in the body.
    let range: Range<Int>
    private let pieces: ArraySlice<Piece>
    private let arrived: ArrivedBody

    /// The chunk that begins at a place, and those behind it up to a size.
    init(from position: Int, of all: [Piece], in arrived: ArrivedBody) {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        var last = low
        while last + 1 < all.count, all[last + 1].end - position <= BodyContents.readBytes { last += 1 }
        pieces = all[low...last]
        range = position..<all[last].end
        self.arrived = arrived
    }

    /// The bytes, read on the store's threads; fails where they cannot be read in time.
    var bytes: AnyPublisher<[UInt8], StoreFault> { arrived.bytes(in: range) }

    /// Whether bytes that were read are those that passed by. The medium may have lost them, or a decorator between the cache and whoever
    /// asks may have made others of them.
    func areSound(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == range.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            var start = 0
            for piece in pieces {
                let end = piece.end - range.lowerBound
                var checksum = Checksum()
                checksum.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                guard checksum.value == piece.checksum else { return false }
                start = end
            }
            return true
        }
    }
}

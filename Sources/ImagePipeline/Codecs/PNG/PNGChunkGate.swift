import CZlib

/// Stands before libpng, and lets pass only the chunks that the picture needs (PNG 3rd edition, 5).
///
/// libpng's progressive reader buffers each chunk whole before looking at it; here a chunk that is too long is
/// refused by its header, and text, time stamps and animation frames never reach it. Exif data are kept here, as the progressive
/// reader of libpng 1.6 passes over them. A class, because libpng's callbacks ask it for them while it is filtering.
final class PNGChunkGate {
    enum Verdict {
        /// These bytes are libpng's.
        case forward(UnsafeRawBufferPointer)
        /// This chunk, not IDAT, is longer than allowed.
        case tooLong(Int)
    }

    private enum State {
        case signature(remaining: Int)
        case header
        case body(remaining: Int, use: Use)
        case end
    }

    private enum Use {
        case forward, keep, drop
    }

    private var state = State.signature(remaining: 8)
    private var header: [UInt8] = []
    private let metadataBytes: Int
    /// Bytes seen of the file.
    private(set) var byteOffset = 0
    /// Whether IEND's header has passed.
    private(set) var hasSeenEnd = false

    /// The eXIf chunk's data and checksum, as far as they have come.
    private var keptExif: [UInt8] = []

    init(metadataBytes: Int) {
        self.metadataBytes = metadataBytes
        header.reserveCapacity(8)
    }

    /// Calls `body` for each stretch to be passed on; stops at the first `false`.
    func filter(_ bytes: UnsafeRawBufferPointer, _ body: (Verdict) -> Bool) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .signature(let remaining):
                let part = take(remaining, from: &rest)
                state = part.count == remaining ? .header : .signature(remaining: remaining - part.count)
                guard body(.forward(part)) else { return }
            case .header:
                header.append(contentsOf: take(8 - header.count, from: &rest))
                guard header.count == 8 else { return }
                let length = header[..<4].reduce(0) { $0 << 8 | Int($1) }
                let use = useOfChunk()
                let isData = header[4...].elementsEqual("IDAT".utf8)
                // libpng refuses lengths beyond 2^31 - 1 itself.
                guard isData || use == .drop || length <= metadataBytes || length > Int(Int32.max) else {
                    _ = body(.tooLong(length))
                    return
                }
                hasSeenEnd = header[4...].elementsEqual("IEND".utf8)
                state = .body(remaining: length + 4, use: use)
                let goesOn = use != .forward || header.withUnsafeBytes { body(.forward($0)) }
                header.removeAll(keepingCapacity: true)
                guard goesOn else { return }
            case .body(let remaining, let use):
                let part = take(remaining, from: &rest)
                if part.count == remaining {
                    state = hasSeenEnd ? .end : .header
                } else {
                    state = .body(remaining: remaining - part.count, use: use)
                }
                if use == .keep { keptExif.append(contentsOf: part) }
                if use == .forward, !body(.forward(part)) { return }
            case .end:
                return
            }
        }
    }

    /// Critical chunks pass, known or not: an unknown one is libpng's to refuse. Of the others, those that change pixels or
    /// travel with them.
    private func useOfChunk() -> Use {
        if header[4] & 0x20 == 0 { return .forward }
        switch String(decoding: header[4...], as: UTF8.self) {
        case "tRNS", "iCCP": return .forward
        case "eXIf" where keptExif.isEmpty: return .keep
        default: return .drop
        }
    }

    /// What the eXIf chunk holds, if it has come whole and its checksum is right.
    var exif: ArraySlice<UInt8> {
        guard keptExif.count > 4 else { return [] }
        let (data, stored) = (keptExif.dropLast(4), keptExif.suffix(4))
        let covered = Array("eXIf".utf8) + data
        let checksum = covered.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        return checksum == stored.reduce(0) { $0 << 8 | uLong($1) } ? data : []
    }

    private func take(
        _ count: Int, from rest: inout Slice<UnsafeRawBufferPointer>
    ) -> UnsafeRawBufferPointer {
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        byteOffset += part.count
        return UnsafeRawBufferPointer(rebasing: part)
    }
}

/// Stands before libpng, and lets pass only the chunks that the picture needs (PNG 3rd edition, 5).
///
/// libpng's progressive reader buffers each chunk whole before looking at it; here a chunk that is too long is
/// refused by its header, and text, time stamps and animation frames never reach it.
struct PNGChunkGate {
    enum Verdict {
        /// These bytes are libpng's.
        case forward(UnsafeRawBufferPointer)
        /// This chunk, not IDAT, is longer than allowed.
        case tooLong(Int)
    }

    private enum State {
        case signature(remaining: Int)
        case header
        case body(remaining: Int, passes: Bool)
        case end
    }

    private var state = State.signature(remaining: 8)
    private var header: [UInt8] = []
    private let metadataBytes: Int
    /// Bytes seen of the file.
    private(set) var byteOffset = 0
    /// Whether IEND's header has passed.
    private(set) var hasSeenEnd = false

    /// Ancillary chunks that change pixels, or travel with them.
    private static let wanted: Set<String> = ["tRNS", "iCCP", "eXIf"]

    init(metadataBytes: Int) {
        self.metadataBytes = metadataBytes
        header.reserveCapacity(8)
    }

    /// Calls `body` for each stretch to be passed on; stops at the first `false`.
    mutating func filter(_ bytes: UnsafeRawBufferPointer, _ body: (Verdict) -> Bool) {
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
                let passes = passesHeader()
                let isData = header[4...].elementsEqual("IDAT".utf8)
                // libpng refuses lengths beyond 2^31 - 1 itself.
                guard isData || !passes || length <= metadataBytes || length > Int(Int32.max) else {
                    _ = body(.tooLong(length))
                    return
                }
                hasSeenEnd = header[4...].elementsEqual("IEND".utf8)
                state = .body(remaining: length + 4, passes: passes)
                let forwarded = !passes || header.withUnsafeBytes { body(.forward($0)) }
                header.removeAll(keepingCapacity: true)
                guard forwarded else { return }
            case .body(let remaining, let passes):
                let part = take(remaining, from: &rest)
                if part.count == remaining {
                    state = hasSeenEnd ? .end : .header
                } else {
                    state = .body(remaining: remaining - part.count, passes: passes)
                }
                if passes, !body(.forward(part)) { return }
            case .end:
                return
            }
        }
    }

    /// Critical chunks pass, known or not: an unknown one is libpng's to refuse.
    private func passesHeader() -> Bool {
        let isAncillary = header[4] & 0x20 != 0
        return !isAncillary || Self.wanted.contains(String(decoding: header[4...], as: UTF8.self))
    }

    private mutating func take(
        _ count: Int, from rest: inout Slice<UnsafeRawBufferPointer>
    ) -> UnsafeRawBufferPointer {
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        byteOffset += part.count
        return UnsafeRawBufferPointer(rebasing: part)
    }
}

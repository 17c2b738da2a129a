import CZlib

/// Stands before libpng, and lets pass only the chunks that the picture needs (PNG 3rd edition, 5).
///
/// libpng's progressive reader buffers each chunk whole before looking at it; here a chunk that is too long is
/// refused by its header, and text, time stamps and animation frames never reach it. Facts beside the picture are kept here: Exif
/// data, as the progressive reader of libpng 1.6 passes over them, and what libpng would have an opinion on. A class, because libpng's
/// callbacks ask it for them while it is filtering.
final class PNGChunkGate {
    enum Verdict {
        /// These bytes are libpng's.
        case forward(UnsafeRawBufferPointer)
        /// The last bytes of a chunk of compressed data follow: the whole data's checksum, if it is the last chunk.
        case checksum
        /// This chunk, not IDAT, is longer than allowed.
        case tooLong(Int)
    }

    /// A chunk that is kept, the first one of its type: Exif data wherever they stand, others before the picture's data.
    enum KeptChunk: String {
        case exif = "eXIf"
        case density = "pHYs"
        case gamma = "gAMA"
        case sRGB = "sRGB"
        case codePoints = "cICP"

        /// How long its data are; `nil` if that is the file's matter.
        var length: Int? {
            switch self {
            case .exif: nil
            case .density: 9
            case .gamma, .codePoints: 4
            case .sRGB: 1
            }
        }
    }

    private enum State {
        case signature(remaining: Int)
        case header
        case body(remaining: Int, use: Use)
        case end
    }

    private enum Use: Equatable {
        case forward, data, drop
        case keep(KeptChunk)

        /// True if libpng gets the chunk.
        var passes: Bool { self == .forward || self == .data }
    }

    private var state = State.signature(remaining: 8)
    private var header: [UInt8] = []
    private let metadataBytes: Int
    /// Bytes seen of the file.
    private(set) var byteOffset = 0
    /// Whether IEND's header has passed.
    private(set) var hasSeenEnd = false
    private var hasSeenData = false

    /// Chunks' data and checksums, as far as they have come.
    private var kept: [KeptChunk: [UInt8]] = [:]

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
                let use = useOfChunk(length: length)
                hasSeenData = hasSeenData || use == .data
                // libpng refuses lengths beyond 2^31 - 1 itself.
                guard use == .data || use == .drop || length <= metadataBytes || length > Int(Int32.max) else {
                    _ = body(.tooLong(length))
                    return
                }
                hasSeenEnd = header[4...].elementsEqual("IEND".utf8)
                state = .body(remaining: length + 4, use: use)
                let goesOn = !use.passes || header.withUnsafeBytes { body(.forward($0)) }
                header.removeAll(keepingCapacity: true)
                guard goesOn else { return }
            case .body(let remaining, let use):
                // zlib's checksum has four bytes, and so has the chunk's.
                let isAhead = use == .data && remaining > 8
                let part = take(isAhead ? remaining - 8 : remaining, from: &rest)
                if part.count == remaining {
                    state = hasSeenEnd ? .end : .header
                } else {
                    state = .body(remaining: remaining - part.count, use: use)
                }
                if case .keep(let chunk) = use { kept[chunk, default: []].append(contentsOf: part) }
                if use.passes, !body(.forward(part)) { return }
                if isAhead, part.count == remaining - 8, !body(.checksum) { return }
            case .end:
                return
            }
        }
    }

    /// Critical chunks pass, known or not: an unknown one is libpng's to refuse. Of the others, those that change pixels or
    /// travel with them.
    private func useOfChunk(length: Int) -> Use {
        if header[4...].elementsEqual("IDAT".utf8) { return .data }
        if header[4] & 0x20 == 0 { return .forward }
        let type = String(decoding: header[4...], as: UTF8.self)
        if type == "tRNS" { return .forward }
        if type == "iCCP" { return length <= metadataBytes ? .forward : .drop }
        guard let chunk = KeptChunk(rawValue: type), !hasSeenData || chunk == .exif, kept[chunk] == nil,
            length == chunk.length ?? length, chunk.length == nil || length <= metadataBytes
        else { return .drop }
        return .keep(chunk)
    }

    /// Whether Exif data may follow that say how the picture is to be turned.
    var mayKnowMore: Bool {
        if case .body(_, .keep(.exif)) = state { return true }
        return kept[.exif] == nil
    }

    /// What a chunk holds, if it has come whole and its checksum is right.
    func data(of chunk: KeptChunk) -> ArraySlice<UInt8>? {
        guard let bytes = kept[chunk], bytes.count > 4 else { return nil }
        let (data, stored) = (bytes.dropLast(4), bytes.suffix(4))
        let covered = Array(chunk.rawValue.utf8) + data
        let checksum = covered.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        return checksum == stored.reduce(0) { $0 << 8 | uLong($1) } ? data : nil
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

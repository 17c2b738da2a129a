import CZlib

/// A body that was compressed for its transfer though nobody asked, made plain in pieces as they are wanted.
///
/// libcurl could do it, but keeps all that a paused transfer has made plain: up to 64 MB, and a picture of one colour takes a
/// thousandth of that compressed.
final class BodyDecoder {
    private static let pieceSize = 64 << 10

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    private let isDeflate: Bool
    private var isOpen = false
    /// The bytes in the piece that nobody has taken yet.
    private var filled = 0
    /// Of the bytes that are taken as a whole or not at all: those that are in the pieces so far.
    private var consumed = 0
    /// Whether there may be more to come without further bytes.
    private var mayHaveMore = false
    private var isAtEnd = false

    /// - Parameter codings: The values of `Content-Encoding`.
    /// - Returns: nil for what cannot be decoded.
    init?(_ codings: [String]) {
        let names = Self.codings(of: codings)
        guard names.count == 1, ["gzip", "x-gzip", "deflate"].contains(names[0]) else { return nil }
        isDeflate = names[0] == "deflate"
        stream.initialize(to: z_stream())
    }

    /// The codings that have to be undone, in lower case.
    static func codings(of values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map { HTTPField.trimmed($0).lowercased() }
            .filter { !["", "identity"].contains($0) }
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
        piece.deallocate()
    }

    /// Whether all of it has come, or nothing at all.
    var isComplete: Bool { isAtEnd || !isOpen }

    /// Makes bytes plain. Where a piece is refused the same bytes are to come again, and it goes on behind those that were taken.
    ///
    /// - Parameter take: Takes a piece, or refuses it for now.
    /// - Returns: Whether all pieces were taken.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(TransportError) -> Bool
    ) throws(TransportError) -> Bool {
        while true {
            if filled > 0 {
                guard try take(UnsafeRawBufferPointer(rebasing: piece[..<filled])) else { return false }
                filled = 0
            }
            guard mayHaveMore || consumed < bytes.count else {
                consumed = 0
                return true
            }
            try inflate(UnsafeRawBufferPointer(rebasing: bytes[min(consumed, bytes.count)...]))
        }
    }

    /// Fills the piece.
    private func inflate(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if isAtEnd {
            // Another member of gzip's, or what is behind the last one and means nothing.
            guard !isDeflate, bytes.first == 0x1F else { return consumed += bytes.count }
            inflateReset(stream)
            isAtEnd = false
        }
        if !isOpen { try open(first: bytes.first ?? 0) }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        stream.pointee.next_out = piece.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(Self.pieceSize)
        let offered = stream.pointee.avail_in
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        consumed += Int(offered - stream.pointee.avail_in)
        filled = Self.pieceSize - Int(stream.pointee.avail_out)
        mayHaveMore = stream.pointee.avail_out == 0
        switch code {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: (isAtEnd, mayHaveMore) = (true, false)
        default:
            throw .unsupportedEncoding(stream.pointee.msg.map { String(cString: $0) } ?? "it is damaged")
        }
    }

    /// - Parameter first: The first byte, by which a deflate without a header is told: some servers send it.
    private func open(first: UInt8) throws(TransportError) {
        let windowBits: Int32 = isDeflate && first & 0x0F != 8 ? -MAX_WBITS : MAX_WBITS + 32
        guard
            inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .unsupportedEncoding("there is no memory to decode it") }
        isOpen = true
    }
}

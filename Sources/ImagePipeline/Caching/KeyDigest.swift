import CLibCrypto

/// A SHA-256 over parts, each behind its length in bytes (eight bytes, little-endian). Allocates nothing.
struct KeyDigest: ~Copyable {
    private typealias Room = (SIMD64<UInt8>, SIMD64<UInt8>, SIMD64<UInt8>, SIMD64<UInt8>)

    private var context = SHA256_CTX()
    /// The parts that have not been digested yet: most are words, for each of which a call would take longer than what it does.
    private var waiting: Room = (.zero, .zero, .zero, .zero)
    private var count = 0

    init() {
        SHA256_Init(&context)
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var length = UInt64(bytes.count).littleEndian
        let start = MemoryLayout<UInt64>.size
        let room = MemoryLayout<Room>.size
        if bytes.count > room - start - count { digestWaiting() }
        guard bytes.count <= room - start else {
            SHA256_Update(&context, &length, start)
            SHA256_Update(&context, bytes.baseAddress, bytes.count)
            return
        }
        withUnsafeMutableBytes(of: &waiting) { [count] waiting in
            waiting.storeBytes(of: length, toByteOffset: count, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: waiting[(count + start)...]).copyMemory(from: bytes)
        }
        count += start + bytes.count
    }

    private mutating func digestWaiting() {
        _ = withUnsafeBytes(of: waiting) { SHA256_Update(&context, $0.baseAddress, count) }
        count = 0
    }

    consuming func finish() -> (UInt64, UInt64, UInt64, UInt64) {
        digestWaiting()
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { words in
            _ = SHA256_Final(words.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
        }
        return words
    }
}

import CLibCrypto

/// A SHA-256 over parts, each behind its length in bytes (eight bytes, little-endian). Allocates nothing.
struct KeyDigest: ~Copyable {
    private var context = SHA256_CTX()

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
        SHA256_Update(&context, &length, MemoryLayout<UInt64>.size)
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    consuming func finish() -> (UInt64, UInt64, UInt64, UInt64) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { words in
            _ = SHA256_Final(words.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
        }
        return words
    }
}

import CLibCrypto
import Files

/// The key that a cached value is found by: parts of any content, told apart by their lengths, and the SHA-256 of the
/// whole.
///
/// Two keys are equal only when all their parts are: "ab" + "c" is not "a" + "bc".
public struct CacheKey: Sendable, Hashable {
    /// The parts, each behind its length in bytes (eight bytes, little-endian).
    public let bytes: [UInt8]

    /// Creates a key from text parts; their order counts.
    ///
    /// - Parameter parts: The parts of the key.
    public init(_ parts: [String]) {
        self.init(parts: parts.map { Array($0.utf8) })
    }

    /// Creates a key from parts of any bytes; their order counts.
    ///
    /// - Parameter parts: The parts of the key.
    public init(parts: [[UInt8]]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count + 8 })
        for part in parts {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part)
        }
        self.bytes = bytes
    }

    /// The SHA-256 of the key as 64 lower-case hexadecimal digits: the name of its file.
    public var digest: String {
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &hash)
        return String(unsafeUninitializedCapacity: 2 * hash.count) { digits in
            for (index, byte) in hash.enumerated() {
                digits[2 * index] = Self.digit(byte >> 4)
                digits[2 * index + 1] = Self.digit(byte & 15)
            }
            return digits.count
        }
    }

    /// Whether a file's name is such a digest.
    static func isDigest(_ name: String) -> Bool {
        name.utf8.count == 64 && name.hasHexadecimalSuffix(64)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// The key that a cached value is found by: the SHA-256 of parts of any content, told apart by their lengths.
///
/// Two keys are equal only when all their parts are: "ab" + "c" is not "a" + "bc". A key takes 32 bytes whatever its parts, and
/// is compared and hashed in a few nanoseconds.
@frozen
public struct CacheKey: Sendable {
    @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a key from text parts; their order counts.
    ///
    /// - Parameter parts: The parts of the key.
    public init(_ parts: [String]) {
        var digest = KeyDigest()
        for part in parts { digest.append(part) }
        self.init(digest)
    }

    /// Creates a key from parts of any bytes; their order counts.
    ///
    /// - Parameter parts: The parts of the key.
    public init(parts: [[UInt8]]) {
        var digest = KeyDigest()
        for part in parts { digest.append(part) }
        self.init(digest)
    }

    init(_ digest: consuming KeyDigest) {
        words = digest.finish()
    }

    /// Creates the key whose ``bytes`` these are in memory.
    init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// The 32 bytes of the SHA-256 over the parts, each behind its length in bytes (eight bytes, little-endian).
    public var bytes: [UInt8] {
        withUnsafeBytes(of: words) { Array($0) }
    }

    /// The SHA-256 of the parts as 64 lower-case hexadecimal digits: the name of the key's file.
    public var digest: String { digest(behind: "") }

    /// The digest behind other text, such as the path of a directory: made as one string, for each look-up on disk.
    func digest(behind text: String) -> String {
        var text = text
        return text.withUTF8 { text in
            withUnsafeBytes(of: words) { bytes in
                String(unsafeUninitializedCapacity: text.count + 2 * bytes.count) { place in
                    var end = place.initialize(fromContentsOf: text)
                    for byte in bytes {
                        place[end] = Self.digit(byte >> 4)
                        place[end + 1] = Self.digit(byte & 15)
                        end += 2
                    }
                    return end
                }
            }
        }
    }

    /// Reads such a digest, as the name of a file is one; nil for any other text.
    init?(digest: UnsafeRawBufferPointer) {
        guard digest.count == 64 else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let isDigest = withUnsafeMutableBytes(of: &words) { bytes in
            bytes.indices.allSatisfy { index in
                guard let high = Self.value(digest[2 * index]), let low = Self.value(digest[2 * index + 1]) else {
                    return false
                }
                bytes[index] = high << 4 | low
                return true
            }
        }
        guard isDigest else { return nil }
        self.words = words
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension CacheKey: Hashable {
    @inlinable
    public static func == (left: CacheKey, right: CacheKey) -> Bool {
        left.words == right.words
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        // As good as all four: nobody finds many keys that agree in 64 bits of a SHA-256.
        hasher.combine(words.0)
    }

    /// The key's hash, which has a seed of its own in each process.
    ///
    /// A digest is as good as random. The seed keeps those who choose what is requested from finding keys that collide in a table.
    @inlinable public var hashValue: Int {
        let (high, low) = words.0.multipliedFullWidth(by: Self.multiplier)
        return Int(truncatingIfNeeded: high ^ low)
    }

    @usableFromInline static let multiplier = UInt64.random(in: .min ... .max) | 1
}

extension CacheKey: CustomStringConvertible {
    public var description: String { digest }
}

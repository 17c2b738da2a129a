/// The identity of a file's content: its length and SHA-256.
struct FileContent: Hashable, Sendable {
    /// Longer ones are compared with nothing: they would have to be held in memory.
    private static let limit = 1 << 30

    let size: Int
    private let digest: SIMD32<UInt8>

    init(_ bytes: [UInt8]) {
        size = bytes.count
        digest = SHA256.digest(of: bytes)
    }

    /// The content of an open file, if it is this long; `nil` where it is not, or cannot be read.
    init?(of file: Descriptor, size: Int) {
        // A byte more: it may have grown meanwhile.
        guard size <= Self.limit, let bytes = file.read(size + 1), bytes.count == size else { return nil }
        self.init(bytes)
    }

    /// The content that the text of another describes; `nil` if there is none.
    init?(digest digits: ArraySlice<UInt8>, size: ArraySlice<UInt8>) {
        guard digits.count == 64, let size = Int(String(decoding: size, as: UTF8.self)), (0...Self.limit).contains(size)
        else { return nil }
        var hash = SIMD32<UInt8>()
        for index in 0..<32 {
            let at = digits.startIndex + 2 * index
            guard let high = Self.value(digits[at]), let low = Self.value(digits[at + 1]) else {
                return nil
            }
            hash[index] = high << 4 | low
        }
        self.size = size
        self.digest = hash
    }

    /// The SHA-256 as 64 hexadecimal digits and the length in bytes.
    var text: String {
        (0..<32).map { (digest[$0] < 16 ? "0" : "") + String(digest[$0], radix: 16) }.joined() + " \(size)"
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Why bytes did not become an image.
public enum DecodeError: Error, Sendable, Hashable {
    /// How far decoding had come.
    public struct Location: Sendable, Hashable {
        /// The format found.
        public var format: ImageFormat
        /// Bytes consumed of the file; a few more or less, as the C libraries read ahead.
        public var byteOffset: Int
        /// The next row of the stored picture, if rows were being read.
        public var row: Int?

        /// So far in a file of that format.
        public init(format: ImageFormat, byteOffset: Int, row: Int? = nil) {
            self.format = format
            self.byteOffset = byteOffset
            self.row = row
        }
    }

    /// The first bytes are those of no known format.
    case unknownFormat
    /// The bytes end before the picture does.
    case truncated(at: Location)
    /// The bytes contradict the format; the message is the C library's or names the rule.
    case corrupt(String, at: Location)
    /// A correct file of a kind that is not decoded.
    case unsupported(String, at: Location)
    /// The file asks for more than ``DecodeLimits`` allows.
    case limitExceeded(DecodeLimits.Limit, value: Int, allowed: Int, at: Location)
    /// The machine's memory is short.
    case outOfMemory(at: Location)
    /// ``DecodeOptions/isCancelled`` said so.
    case cancelled
    /// ``ImageDecoder/append(_:)`` or ``ImageDecoder/finish()`` after the decoder had finished.
    case alreadyFinished
}

extension DecodeError.Location: CustomStringConvertible {
    public var description: String {
        "\(format.rawValue), byte \(byteOffset)" + (row.map { ", row \($0)" } ?? "")
    }
}

extension DecodeLimits.Limit {
    fileprivate var unit: String { self == .time ? " ms" : "" }
}

extension DecodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownFormat: "of no known format"
        case .truncated(let location): "truncated (\(location))"
        case .corrupt(let message, let location): "corrupt: \(message) (\(location))"
        case .unsupported(let message, let location): "unsupported: \(message) (\(location))"
        case .limitExceeded(let limit, let value, let allowed, let location):
            "\(limit.rawValue) \(value)\(limit.unit) exceeds the limit of \(allowed)\(limit.unit) (\(location))"
        case .outOfMemory(let location): "out of memory (\(location))"
        case .cancelled: "cancelled"
        case .alreadyFinished: "the decoder had already finished"
        }
    }
}

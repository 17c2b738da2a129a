/// An error that ended a decode without an image.
public enum DecodeError: Error, Sendable, Hashable {
    /// The point in a file that a decode had reached.
    public struct Location: Sendable, Hashable {
        /// The format found.
        public var format: ImageFormat
        /// The number of bytes of the file that were consumed; a few more or less, as the C libraries read ahead.
        public var byteOffset: Int
        /// The number of the next row of the stored picture, if rows were being read.
        public var row: Int?

        /// Creates a location in a file of a format.
        ///
        /// - Parameters:
        ///   - format: The format.
        ///   - byteOffset: The number of bytes that were consumed.
        ///   - row: The next row of the stored picture, if rows were being read.
        public init(format: ImageFormat, byteOffset: Int, row: Int? = nil) {
            self.format = format
            self.byteOffset = byteOffset
            self.row = row
        }
    }

    /// The first bytes match no known format.
    case unknownFormat
    /// The bytes end before the picture does.
    case truncated(at: Location)
    /// The bytes contradict the format; the message is the C library's or names the rule.
    case corrupt(String, at: Location)
    /// A correct file of a kind that is not decoded.
    case unsupported(String, at: Location)
    /// The file asks for more than a limit of ``DecodeLimits`` allows.
    case limitExceeded(DecodeLimits.Limit, value: Int, allowed: Int, at: Location)
    /// The machine's memory is short.
    case outOfMemory(at: Location)
    /// The decode was cancelled: ``DecodeOptions/isCancelled`` returned `true`.
    case cancelled
    /// ``ImageDecoder/append(_:)`` or ``ImageDecoder/finish()`` was called after the decoder had finished.
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

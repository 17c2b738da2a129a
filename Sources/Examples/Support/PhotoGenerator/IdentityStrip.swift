import ImageCodecs

/// A number drawn into a picture, which can be read back from its pixels at nearly any size: a strip of twelve cells in four greys
/// across the middle three quarters of its upper sixth.
///
/// A program that shows the wrong photo, or an old one, can so be found out.
public struct IdentityStrip: Sendable, Hashable {
    /// The largest number that a strip holds.
    public static let largest = 1 << 20 - 1

    /// The number.
    public let number: Int

    static let cells = 12
    /// The strip's share of the height.
    static let heightShare = 6
    /// Far enough from each other to survive any quality and resampling.
    private static let levels: [Int] = [24, 92, 160, 228]

    /// Creates a strip of a number.
    ///
    /// - Parameter number: The number, from 0 to ``largest``; more is cut off.
    public init(_ number: Int) {
        self.number = number & (1 << 20 - 1)
    }

    /// Reads the strip of a picture.
    ///
    /// - Parameters:
    ///   - image: The picture, whole or filling another shape with its middle, at any size of at least 48 pixels across.
    ///   - shape: The size of the picture that was drawn, or one of its shape.
    /// - Returns: nil where there is no strip, or one that cannot be read.
    public init?(in image: Image, ofShape shape: PixelSize) {
        guard image.width > 0, image.height > 0, shape.width > 0, shape.height > 0 else { return nil }
        // The size in pixels of the whole picture, of which the image shows the middle.
        let scale = max(
            Double(image.width) / Double(shape.width), Double(image.height) / Double(shape.height))
        let (width, height) = (Double(shape.width) * scale, Double(shape.height) * scale)
        let left = (Double(image.width) - width) / 2 + width / 8
        let top = (Double(image.height) - height) / 2
        let cell = width * 3 / 4 / Double(Self.cells)
        let rows = Int(top + height / 18)...Int(top + height / 9)
        var digits: [Int] = []
        for index in 0..<Self.cells {
            let start = left + (Double(index) + 0.3) * cell
            guard let level = Self.mean(image, Int(start)...Int(start + 0.4 * cell), rows) else { return nil }
            let digit = Self.levels.indices.min { abs(Self.levels[$0] - level) < abs(Self.levels[$1] - level) }
            digits.append(digit ?? 0)
        }
        self.init(digits.prefix(10).reversed().reduce(0) { $0 << 2 | $1 })
        guard digits == self.digits else { return nil }
    }

    /// The cells from left to right: ten of the number, the lowest first, and two that check them.
    var digits: [Int] {
        let own = (0..<10).map { number >> (2 * $0) & 3 }
        let sum = own.enumerated().reduce(5) { $0 &+ $1.element &* (2 &* $1.offset &+ 3) }
        return own + [sum & 3, sum >> 2 & 3]
    }

    /// The grey of a column of a picture so wide.
    func level(x: Int, width: Int) -> UInt8 {
        let cell = (x - width / 8) * Self.cells * 4 / (width * 3)
        guard x >= width / 8, digits.indices.contains(cell) else { return 126 }
        return UInt8(Self.levels[digits[cell]])
    }

    /// The mean brightness of a part; nil if it is not all there.
    private static func mean(_ image: Image, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Int? {
        guard columns.lowerBound >= 0, rows.lowerBound >= 0, columns.upperBound < image.width,
            rows.upperBound < image.height
        else { return nil }
        let (channels, stride) = (image.format.channels, image.bytesPerRow)
        guard image.format.bytesPerPixel == channels else { return nil }
        return image.bytes.withUnsafeBufferPointer { bytes in
            var (sum, count) = (0, 0)
            for y in rows {
                for x in columns {
                    // Green, or grey, stands for all.
                    sum += Int(bytes[y * stride + x * channels + (channels >= 3 ? 1 : 0)])
                    count += 1
                }
            }
            return sum / max(1, count)
        }
    }
}

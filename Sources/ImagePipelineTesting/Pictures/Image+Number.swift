import ImagePipeline

extension Image {
    /// Creates a picture that carries a number in its pixels, so that a test can tell which picture it is shown.
    ///
    ///     let bytes = try Image(carrying: 17).encoded(as: .jpeg(quality: 80))
    ///     …
    ///     #expect(image.carriedNumber == 17)
    ///
    /// The number is written as eight columns and four rows of black and white blocks, 24 bits and a check sum. It survives
    /// JPEG and previews, and resizing as long as every block keeps two columns and two rows and the picture its shape.
    ///
    /// - Precondition: The number has at most 24 bits, and the size at least eight columns and four rows.
    ///
    /// - Parameters:
    ///   - number: The number to carry, less than 2²⁴.
    ///   - size: The size of the picture.
    public init(carrying number: Int, size: PixelSize = PixelSize(width: 64, height: 32)) {
        precondition(number >> 24 == 0, "A picture carries a number from 0 to 16,777,215.")
        precondition(size.width >= 8 && size.height >= 4, "A picture that carries a number has at least 8 × 4 pixels.")
        let word = UInt32(number) << 8 | Self.checkSum(of: UInt32(number))
        // A pixel belongs to the block that its middle lies in, as does the one that a block is read at.
        let rows = (0..<4).map { row in
            (0..<size.width).map { x in
                word >> (UInt32(row) * 8 + UInt32((2 * x + 1) * 4 / size.width)) & 1 == 1 ? UInt8.max : 0
            }
        }
        let bytes = (0..<size.height).flatMap { rows[(2 * $0 + 1) * 2 / size.height] }
        guard let image = Image(size: size, format: .grey8, bytes: bytes) else {
            preconditionFailure("A picture of \(size) has as many samples as pixels.")
        }
        self = image
    }

    /// The number that the picture carries; nil where it carries none, or, but for one in some 300, not all of it has arrived.
    public var carriedNumber: Int? {
        guard width >= 8, height >= 4 else { return nil }
        var word: UInt32 = 0
        for row in 0..<4 {
            for column in 0..<8 {
                guard let pixel = pixel(x: (2 * column + 1) * width / 16, y: (2 * row + 1) * height / 8) else {
                    return nil
                }
                switch pixel.y {
                case ..<96: break
                case 160...: word |= 1 << UInt32(row * 8 + column)
                default: return nil
                }
            }
        }
        return Self.checkSum(of: word >> 8) == word & 0xFF ? Int(word >> 8) : nil
    }

    /// Neither a black picture nor a white one has it.
    private static func checkSum(of number: UInt32) -> UInt32 {
        ((number &* 0x9E37_79B1) >> 24) ^ 0xA5
    }
}

import ImageCodecs

/// The 32-bit bitmaps with channel masks that PngSuite's reference pixels come as.
struct BitmapReference {
    let size: PixelSize
    /// Red, green, blue, alpha of each pixel, from the top.
    let rgba: [UInt8]

    init?(_ bytes: [UInt8]) {
        func number(_ offset: Int) -> Int? {
            guard offset + 4 <= bytes.count else { return nil }
            return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.starts(with: "BM".utf8), let start = number(10), let width = number(18), let rawHeight = number(22),
            let depth = number(28).map({ $0 & 0xFFFF }), depth == 32
        else { return nil }
        let height = Int(Int32(truncatingIfNeeded: rawHeight))
        var shifts: [Int] = []
        for channel in 0..<4 {
            guard let mask = number(54 + 4 * channel), mask != 0 else { return nil }
            shifts.append(mask.trailingZeroBitCount)
        }
        var rgba: [UInt8] = []
        for y in 0..<abs(height) {
            let line = height > 0 ? height - 1 - y : y
            for x in 0..<width {
                guard let pixel = number(start + (line * width + x) * 4) else { return nil }
                for shift in shifts { rgba.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
            }
        }
        size = PixelSize(width: width, height: abs(height))
        self.rgba = rgba
    }
}

import ImageCodecs

/// Pictures that are too large to keep.
public enum Pictures {
    /// A photo-like picture of 12 megapixels, for a machine that has none at hand.
    public static func invented() -> Image {
        let size = PixelSize(width: 4000, height: 3000)
        var state: UInt32 = 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let grain = Int(state >> 28)
                let wave = (x * x / 900 + y * y / 700) & 127
                bytes.append(UInt8(clamping: 40 + wave + grain))
                bytes.append(UInt8(clamping: 60 + x / 40 + grain))
                bytes.append(UInt8(clamping: 200 - y / 20 + grain))
            }
        }
        return image(size, bytes)
    }

    /// `count` × `count` tiles of a picture, mirrored so that no seam shows.
    public static func tiled(_ picture: Image, _ count: Int) -> Image {
        let size = PixelSize(width: picture.width * count, height: picture.height * count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * size.width * size.height)
        for tileRow in 0..<count {
            for line in 0..<picture.height {
                let y = tileRow % 2 == 0 ? line : picture.height - 1 - line
                let start = y * picture.bytesPerRow
                let row = Array(picture.bytes[start..<start + picture.width * 3])
                var mirrored: [UInt8] = []
                mirrored.reserveCapacity(row.count)
                for x in stride(from: picture.width - 1, through: 0, by: -1) {
                    mirrored += row[3 * x..<3 * x + 3]
                }
                for tile in 0..<count { bytes += tile % 2 == 0 ? row : mirrored }
            }
        }
        return image(size, bytes)
    }

    static func image(_ size: PixelSize, _ bytes: [UInt8]) -> Image {
        guard let image = Image(size: size, format: .rgb8, bytes: bytes) else {
            preconditionFailure("a picture's bytes are as many as its size says")
        }
        return image
    }
}

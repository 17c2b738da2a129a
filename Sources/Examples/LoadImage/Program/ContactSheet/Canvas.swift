import ImagePipeline

/// A drawing surface in RGB. Whatever lies outside it is left out.
struct Canvas {
    typealias Colour = SIMD3<UInt8>

    let size: PixelSize
    private var bytes: [UInt8]

    init(size: PixelSize, background: Colour) {
        self.size = size
        bytes = []
        bytes.reserveCapacity(3 * size.width * size.height)
        for _ in 0..<(size.width * size.height) { bytes += [background.x, background.y, background.z] }
    }

    /// What has been drawn.
    var image: Image? { Image(size: size, format: .rgb8, bytes: bytes) }

    mutating func set(_ x: Int, _ y: Int, _ colour: Colour) {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
        let at = 3 * (y * size.width + x)
        bytes[at] = colour.x
        bytes[at + 1] = colour.y
        bytes[at + 2] = colour.z
    }

    mutating func fill(x: Int, y: Int, width: Int, height: Int, _ colour: Colour) {
        for row in y..<(y + max(0, height)) {
            for column in x..<(x + max(0, width)) { set(column, row, colour) }
        }
    }

    /// A frame of one pixel around a place.
    mutating func frame(x: Int, y: Int, width: Int, height: Int, _ colour: Colour) {
        fill(x: x - 1, y: y - 1, width: width + 2, height: 1, colour)
        fill(x: x - 1, y: y + height, width: width + 2, height: 1, colour)
        fill(x: x - 1, y: y, width: 1, height: height, colour)
        fill(x: x + width, y: y, width: 1, height: height, colour)
    }

    /// An image with its upper left corner at a place.
    ///
    /// - Parameter brightness: 256 shows it as it is; less, darker.
    mutating func draw(_ image: Image, x: Int, y: Int, brightness: Int = 256) {
        for row in 0..<image.height {
            for column in 0..<image.width {
                guard let pixel = image.pixel(x: column, y: row) else { continue }
                let dimmed = (SIMD4<Int>(truncatingIfNeeded: pixel) &* brightness) &>> 8
                set(x + column, y + row, Colour(truncatingIfNeeded: SIMD3(dimmed.x, dimmed.y, dimmed.z)))
            }
        }
    }

    /// Text with its upper left corner at a place; `scale` pixels a dot.
    mutating func write(_ text: String, x: Int, y: Int, scale: Int = 1, _ colour: Colour) {
        for (index, character) in text.enumerated() {
            let left = x + index * (BitmapFont.width + 1) * scale
            for (row, bits) in BitmapFont.rows(character).enumerated() {
                for column in 0..<BitmapFont.width where bits >> (BitmapFont.width - 1 - column) & 1 == 1 {
                    fill(x: left + column * scale, y: y + row * scale, width: scale, height: scale, colour)
                }
            }
        }
    }

    /// How wide a text is drawn.
    static func width(of text: String, scale: Int = 1) -> Int {
        max(0, text.count * (BitmapFont.width + 1) - 1) * scale
    }
}

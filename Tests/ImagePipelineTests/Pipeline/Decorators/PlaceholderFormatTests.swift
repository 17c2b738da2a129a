import Foundation
import ImagePipeline
import TestSupport
import Testing

@Suite("The format of placeholders is ThumbHash")
struct PlaceholderFormatTests {
    /// A picture of so many pixels as red, green, blue and alpha, from 0 to 255.
    private struct Pixels {
        let width: Int
        let height: Int
        var bytes: [UInt8] = []
    }

    /// The hash as the format's own encoder computes it: the bytes in front of the waves, and the waves, from 0 to 1.
    private func thumbHash(_ picture: Pixels) -> (head: [UInt8], waves: [Double]) {
        let (width, height) = (picture.width, picture.height)
        let count = width * height
        func sample(_ pixel: Int, _ channel: Int) -> Double { Double(picture.bytes[4 * pixel + channel]) / 255 }
        let opacity = (0..<count).map { sample($0, 3) }
        let sum = opacity.reduce(0, +)
        let average = (0..<3).map { channel in
            sum > 0 ? (0..<count).reduce(0) { $0 + opacity[$1] * sample($1, channel) } / sum : 0
        }
        let hasAlpha = picture.bytes.indices.contains { $0 % 4 == 3 && picture.bytes[$0] < 255 }
        let colours = (0..<count).map { pixel in
            (0..<3).map { average[$0] * (1 - opacity[pixel]) + opacity[pixel] * sample(pixel, $0) }
        }
        func side(_ length: Int) -> Int {
            max(1, Int((Double((hasAlpha ? 5 : 7) * length) / Double(max(width, height))).rounded()))
        }
        let (across, down) = (side(width), side(height))
        let light = encode(colours.map { ($0[0] + $0[1] + $0[2]) / 3 }, picture, max(3, across), max(3, down))
        let yellow = encode(colours.map { ($0[0] + $0[1]) / 2 - $0[2] }, picture, 3, 3)
        let red = encode(colours.map { $0[0] - $0[1] }, picture, 3, 3)
        let alpha = encode(opacity, picture, 5, 5)
        func round(_ value: Double) -> Int { Int(value.rounded()) }
        let head =
            round(63 * light.mean) + round(31.5 + 31.5 * yellow.mean) * 64 + round(31.5 + 31.5 * red.mean) * 4_096
            + round(31 * light.scale) * 262_144 + (hasAlpha ? 8_388_608 : 0)
        let isLandscape = width > height
        let tail =
            (isLandscape ? down : across) + round(63 * yellow.scale) * 8 + round(63 * red.scale) * 512
            + (isLandscape ? 32_768 : 0)
        var hash = [head % 256, head / 256 % 256, head / 65_536, tail % 256, tail / 256]
        if hasAlpha { hash.append(round(15 * alpha.mean) + round(15 * alpha.scale) * 16) }
        let waves = light.waves + yellow.waves + red.waves + (hasAlpha ? alpha.waves : [])
        return (hash.map { UInt8($0) }, waves)
    }

    private func encode(
        _ plane: [Double], _ picture: Pixels, _ columns: Int, _ rows: Int
    ) -> (mean: Double, scale: Double, waves: [Double]) {
        let (width, height) = (picture.width, picture.height)
        var (mean, waves) = (0.0, [Double]())
        for row in 0..<rows {
            var column = 0
            while column * rows < columns * (rows - row) {
                var sum = 0.0
                for y in 0..<height {
                    let down = cos(Double.pi / Double(height) * Double(row) * (Double(y) + 0.5))
                    for x in 0..<width {
                        let across = cos(Double.pi / Double(width) * Double(column) * (Double(x) + 0.5))
                        sum += plane[x + y * width] * across * down
                    }
                }
                sum /= Double(width * height)
                if row + column > 0 { waves.append(sum) } else { mean = sum }
                column += 1
            }
        }
        let scale = waves.map { abs($0) }.max() ?? 0
        // What is left of a plane of one value is rounding, and stands for nothing.
        return (mean, scale, waves.map { scale > 0.001 ? 0.5 + 0.5 / scale * $0 : 0.5 })
    }

    /// A picture of coarse blocks, which has much of low frequencies.
    private func picture(_ random: inout SeededGenerator) -> Pixels {
        let sides = (Int.random(in: 1...32, using: &random), Int.random(in: 1...32, using: &random))
        var picture = Pixels(width: sides.0, height: sides.1)
        let block = Int.random(in: 1...16, using: &random)
        let hasAlpha = Bool.random(using: &random)
        var colours: [Int: [UInt8]] = [:]
        for at in 0..<sides.0 * sides.1 {
            let place = at / sides.0 / block * 32 + at % sides.0 / block
            if colours[place] == nil {
                colours[place] = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
                if !hasAlpha { colours[place]?[3] = 255 }
            }
            picture.bytes += colours[place] ?? []
        }
        return picture
    }

    @Test("The first five bytes say how many there are, and the shape of what is drawn")
    func shapes() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<200 {
            var bytes = (0..<5).map { _ in UInt8.random(in: 0...255, using: &random) }
            let (hasAlpha, isLandscape) = (bytes[2] >= 128, bytes[4] >= 128)
            let (longer, shorter) = (hasAlpha ? 5 : 7, Int(bytes[3] % 8))
            let (columns, rows) = isLandscape ? (longer, shorter) : (shorter, longer)
            let (across, down) = (max(3, columns), max(3, rows))
            let places = (0..<down).flatMap { row in (0..<across).map { ($0, row) } }
            let light = places.count { $0.0 * down < across * (down - $0.1) } - 1
            // Five more of either colour, and the opacity's mean and fourteen.
            let count = 5 + (hasAlpha ? 1 : 0) + (light + 5 + 5 + (hasAlpha ? 14 : 0) + 1) / 2
            for length in 5...32 {
                #expect((PlaceholderHash(bytes) != nil) == (length == count))
                if let drawn = PlaceholderHash(bytes)?.image() {
                    let shape = Double(max(1, columns)) / Double(max(1, rows))
                    let (width, height) = shape > 1 ? (32, 32 / shape) : (32 * shape, 32)
                    #expect(drawn.width == Int(width.rounded()) && drawn.height == Int(height.rounded()))
                }
                bytes.append(UInt8.random(in: 0...255, using: &random))
            }
        }
        for length in 0..<5 { #expect(PlaceholderHash([UInt8](repeating: 0, count: length)) == nil) }
    }

    @Test("A picture that is larger than 32 pixels is that which it is made smaller to")
    func reduced() throws {
        for (width, height) in [(64, 48), (96, 96), (40, 320)] {
            let image = try Pictures.textured(width, height)
            let small = image.resized(in: PixelSize(width: 32, height: 32), filter: .bilinear)
            #expect(max(small.width, small.height) == 32)
            #expect(PlaceholderHash(of: image) == PlaceholderHash(of: small))
        }
    }

    @Test("A hash has the bytes of the format's own encoder, and is drawn in the shape that they state")
    func bytes() throws {
        var random = SeededGenerator(seed: 5)
        for round in 0..<150 {
            var pixels = picture(&random)
            // Of one that nothing can be seen of there is no colour.
            if round % 50 == 0 { for at in stride(from: 3, to: pixels.bytes.count, by: 4) { pixels.bytes[at] = 0 } }
            let size = PixelSize(width: pixels.width, height: pixels.height)
            let image = try #require(Image(size: size, format: .rgba8, bytes: pixels.bytes))
            let hash = PlaceholderHash(of: image)
            let expected = thumbHash(pixels)
            #expect(Array(hash.bytes.prefix(expected.head.count)) == expected.head)
            let nibbles = hash.bytes.dropFirst(expected.head.count).flatMap { [Int($0 % 16), Int($0 / 16)] }
            #expect(nibbles.count == (expected.waves.count + 1) / 2 * 2)
            // A wave of nothing is halfway between two of them, and may be either.
            let errors = zip(nibbles, expected.waves).map { abs(Double($0) - 15 * $1) }
            #expect(errors.allSatisfy { $0 < 0.5 + 1e-9 }, "\(size)")
            #expect(nibbles.dropFirst(expected.waves.count).allSatisfy { $0 == 0 })
            let drawn = try #require(PlaceholderHash(hash.bytes)?.image())
            let most = hash.bytes[2] >= 128 ? 5.0 : 7.0
            let shorter = Int((32 * Double(hash.bytes[3] % 8) / most).rounded())
            let isLandscape = pixels.width > pixels.height
            #expect(drawn.width == (isLandscape ? 32 : shorter) && drawn.height == (isLandscape ? shorter : 32))
        }
    }
}

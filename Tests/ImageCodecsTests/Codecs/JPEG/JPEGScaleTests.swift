import Foundation
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("The scales of a JPEG's transforms")
struct JPEGScaleTests {
    /// Lines of one pixel and of two, upright and slanting, in black, white and a colour.
    private static func lines(_ width: Int, _ height: Int) throws -> Image {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isDark =
                    switch (x / 60 + y / 45) % 3 {
                    case 0: x % 2 == 0
                    case 1: (x + y) % 3 == 0
                    default: y % 4 < 2
                    }
                bytes += isDark ? [20, 20, 20] : x % 90 < 45 ? [255, 255, 255] : [255, 240, 170]
            }
        }
        return try #require(Image(size: PixelSize(width: width, height: height), format: .rgb8, bytes: bytes))
    }

    /// Decibels beside all of the file's picture, reduced as a textbook has it.
    private func quality(_ file: [UInt8], _ options: DecodeOptions) throws -> Double {
        let small = try Image.decode(file, options: options)
        let exact = SlowReduction.samples(of: try Image.decode(file), small.size)
        let squares = zip(small.bytes, exact).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - min(255, max(0, pair.1))
            return sum + difference * difference
        }
        return 10 * log10(255 * 255 * Double(exact.count) / squares)
    }

    @Test("They are one, a half, a quarter and an eighth, whatever the ratio")
    func even() {
        let stored = PixelSize(width: 1637, height: 1229)
        for colour in [(1, 1), (2, 2), (2, 1), (1, 2), (4, 1), (4, 2)] {
            let scale = JPEGScale(stored: stored, colour: colour)
            for side in 10...1637 {
                let output = stored.fitted(in: PixelSize(width: side, height: side))
                let scales = scale.candidates(output: output)
                #expect([1, 2, 4, 8].contains(scales.first), "to \(side)")
                #expect(scales == scales.sorted(by: >) && Set(scales).count == scales.count, "to \(side)")
            }
        }
    }

    @Test(
        "At an eighth, colour that is stored at half the width or height asks for no larger scale",
        arguments: [24, 28])
    func colourAtAnEighth(ratio: Int) throws {
        let stored = PixelSize(width: 1637, height: 1229)
        let output = stored.fitted(in: PixelSize(width: 1637 / ratio, height: 1637))
        for colour in [(1, 1), (2, 2), (2, 1), (1, 2)] {
            #expect(JPEGScale(stored: stored, colour: colour).candidates(output: output).first == 1, "\(colour)")
        }
        #expect(JPEGScale(stored: stored, colour: (4, 1)).candidates(output: output).first != 1)
    }

    @Test(
        "Fine lines are as sharp as of the whole picture reduced by three to five",
        arguments: [3.2, 4.3, 4.9], [false, true])
    func sharp(ratio: Double, isProgressive: Bool) throws {
        let file = try Self.lines(240, 180).encoded(as: .jpeg(quality: 90, progressive: isProgressive))
        let side = Int((240 / ratio).rounded())
        let options = DecodeOptions(as: .fit(PixelSize(width: side, height: side)))
        #expect(try quality(file, options) >= 55, "by \(ratio)")
    }

    @Test("Exactly decoded they are so at any ratio", arguments: [1.5, 4, 6.3, 13, 24], [false, true])
    func exact(ratio: Double, isProgressive: Bool) throws {
        let file = try Self.lines(240, 180).encoded(as: .jpeg(quality: 90, progressive: isProgressive))
        let side = Int((240 / ratio).rounded())
        let options = DecodeOptions(as: Rendition(targetSize: PixelSize(width: side, height: side), quality: .exact))
        #expect(try quality(file, options) >= 55, "by \(ratio)")
    }

    @Test(
        "Where memory does not suffice for the scale that is right, the largest one below it is taken",
        .ifCodecsWorkInside)
    func littleMemory() throws {
        let file = try Pictures.textured(800, 600)
            .encoded(as: .jpeg(quality: 90, progressive: true, subsampling: .yuv444))
        for (side, best) in [(200, 8), (100, 4)] {
            var options = DecodeOptions(as: .fit(PixelSize(width: side, height: side)))
            let whole = try Image.decode(file, options: options)
            var scales: [Int32] = []
            // 2.9 MB of coefficients, and less and less.
            for megabytes in stride(from: 6.0, to: 0.6, by: -0.3) {
                options.limits.workingBytes = Int(megabytes * 1e6)
                let decoder = JPEGDecoder(options: options)
                do throws(DecodeError) {
                    try decoder.append(file)
                    let image = try decoder.finish()
                    let scale = decoder.plan?.scale ?? 0
                    if scales.last != scale { scales.append(scale) }
                    #expect(Pictures.psnr(image, whole) >= 30, "to \(side) in \(megabytes) MB at \(scale) eighths")
                } catch {
                    guard case .limitExceeded(.workingBytes, let value, let allowed, _) = error else { throw error }
                    #expect(value > allowed)
                }
            }
            #expect(scales.first == Int32(best), "to \(side): \(scales)")
            #expect(scales.count > 1 && scales == scales.sorted(by: >), "to \(side): \(scales)")
            #expect(scales.contains { [3, 5, 6, 7].contains($0) }, "to \(side): \(scales)")
        }
    }

    @Test(
        "What is to be exact is refused where memory does not suffice",
        .ifCodecsWorkInside)
    func exactMemory() throws {
        let file = try Pictures.textured(800, 600)
            .encoded(as: .jpeg(quality: 90, progressive: true, subsampling: .yuv444))
        var options = DecodeOptions(as: .fit(PixelSize(width: 200, height: 200)))
        options.limits.workingBytes = 2_600_000
        _ = try Image.decode(file, options: options)
        options.rendition.quality = .exact
        #expect(throws: DecodeError.self) { try Image.decode(file, options: options) }
    }

    @Test("A picture's last rows and columns are not darkened by what an encoder has put beyond them")
    func edges() throws {
        // 45 rows of blocks and 5 rows: what follows repeats the last one, which is black.
        let size = PixelSize(width: 365, height: 365)
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += [UInt8](repeating: x == 364 || y == 364 ? 0 : 255, count: 3) }
        }
        let picture = try #require(Image(size: size, format: .rgb8, bytes: bytes))
        let file = try picture.encoded(as: .jpeg(quality: 100, subsampling: .yuv444))
        for side in [30, 15] {
            let options = DecodeOptions(as: .fit(PixelSize(width: side, height: side)))
            let small = try Image.decode(file, options: options)
            let exact = SlowReduction.samples(of: try Image.decode(file), small.size)
            let last = small.bytes.count - side * 3 / 2
            #expect(abs(Double(small.bytes[last]) - exact[last]) < 12, "to \(side)")
        }
    }

    @Test("A block that lies partly outside counts for as much of it as lies within", arguments: 1...3)
    func partialBlocks(rest: Int) throws {
        // Squares of three pixels, decoded at a quarter: what the last sample counts too little the others count too much.
        let side = 480 + rest
        let levels: [[UInt8]] = [[128, 248], [8, 128]]
        let bytes = (0..<side).flatMap { y in (0..<side).map { x in levels[y / 3 % 2][x / 3 % 2] } }
        let picture = try #require(
            Image(size: PixelSize(width: side, height: side), format: .grey8, bytes: bytes))
        let options = DecodeOptions(as: .fit(PixelSize(width: 40, height: 40)))
        #expect(try quality(picture.encoded(as: .jpeg(quality: 95)), options) >= 53.5)
    }
}

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Reduction in linear light")
struct LinearLightTests {
    private func checkerboard(_ side: Int, _ format: PixelFormat) throws -> Image {
        var bytes: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side { bytes += [(x + y) % 2 == 0 ? 255 : 0, 255] }
        }
        let size = PixelSize(width: side, height: side)
        return try #require(Image(size: size, format: .greyAlpha8, bytes: bytes)).converted(to: format)
    }

    @Test("Black and white pixels by turns become as bright as they look", arguments: PixelFormat.allCases)
    func brightness(format: PixelFormat) throws {
        let board = try checkerboard(64, format)
        let target = PixelSize(width: 8, height: 8)
        for filter in [ResamplingFilter.box, .lanczos3, .mitchell, .bilinear] {
            let light = board.resized(to: target, filter: filter, linearLight: true)
            let plain = board.resized(to: target, filter: filter)
            for y in 0..<8 {
                for x in 0..<8 {
                    #expect((187...189).contains(try #require(light.pixel(x: x, y: y)).y))
                    #expect((127...129).contains(try #require(plain.pixel(x: x, y: y)).y))
                }
            }
        }
    }

    @Test("A flat colour stays what it is, to the bit, whatever the filter", arguments: PixelFormat.allCases)
    func flat(format: PixelFormat) throws {
        for value in UInt8.min...UInt8.max {
            let pixel = (0..<format.channels).map { channel in
                format.hasAlpha && channel == format.channels - 1 ? 255 : value &+ UInt8(channel * 50)
            }
            let stored = format.isDeep ? Pictures.native(pixel.map { UInt16($0) * 257 }) : pixel
            let bytes = (0..<23 * 17).flatMap { _ in stored }
            let picture = try #require(Image(size: PixelSize(width: 23, height: 17), format: format, bytes: bytes))
            let filter = ResamplingFilter.allCases[Int(value) % ResamplingFilter.allCases.count]
            for target in [PixelSize(width: 9, height: 4), PixelSize(width: 31, height: 18)] {
                let result = picture.resized(to: target, filter: filter, linearLight: true)
                let expected = (0..<target.width * target.height).flatMap { _ in stored }
                #expect(result.bytes == expected, "\(pixel), \(filter), \(target)")
            }
        }
    }

    @Test(
        "Every format and filter agrees with a slow reference in doubles, smaller and larger",
        arguments: PixelFormat.allCases, ResamplingFilter.allCases)
    func slowReference(format: PixelFormat, filter: ResamplingFilter) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for (width, height, outWidth, outHeight) in [(31, 22, 9, 7), (16, 16, 15, 3), (7, 5, 13, 11), (1, 1, 3, 2)] {
            let image = try Pictures.noise(width, height, format, using: &generator)
            let target = PixelSize(width: outWidth, height: outHeight)
            let actual = image.resized(to: target, filter: filter, linearLight: true)
            #expect(
                SlowReduction.agrees(with: actual, of: image, filter, linearLight: true),
                "\(width)×\(height) → \(target), seed \(seed)")
        }
    }

    @Test("A photo is within rounding of the reference", .enabled(if: SharedImages.areThere))
    func photo() throws {
        let photo = try Image.decode(
            SharedImages.bytes("photos/p640x480.jpg"),
            options: DecodeOptions(as: .fit(PixelSize(width: 320, height: 240))))
        let target = PixelSize(width: 60, height: 45)
        let expected = SlowReduction.samples(of: photo, target, linearLight: true)
        let actual = photo.resized(to: target, linearLight: true)
        let squares = zip(actual.bytes, expected).reduce(0) { $0 + pow(Double($1.0) - $1.1, 2) }
        // Rounding alone has 58.9 dB.
        #expect(10 * log10(255 * 255 * Double(expected.count) / squares) >= 58)
    }

    @Test(
        "A file decoded at a size is the whole picture reduced, to the bit: nothing is averaged before",
        arguments: [ImageEncoding.jpeg, .jpeg(progressive: true), .png])
    func decoding(encoding: ImageEncoding) throws {
        let file = try Pictures.textured(320, 240).encoded(as: encoding)
        let whole = try Image.decode(file)
        for side in [20, 64, 200] {
            for mode in [ContentMode.fit, .fill(gravity: .topLeft)] {
                let target = PixelSize(width: side, height: side)
                var options = DecodeOptions(as: Rendition(targetSize: target, contentMode: mode, linearLight: true))
                let expected = whole.resized(in: target, mode: mode, linearLight: true)
                #expect(try Image.decode(file, options: options) == expected)
                options.rendition.leavesOutScans = true
                #expect(try Image.decode(file, options: options) == expected)
                #expect(expected != whole.resized(in: target, mode: mode))
            }
        }
    }

    @Test("Processors that differ in it have keys of their own")
    func keys() {
        let target = PixelSize(width: 20, height: 20)
        #expect(
            AnyImageProcessor.resize(in: target).identifier
                != AnyImageProcessor.resize(in: target, linearLight: true).identifier)
    }
}

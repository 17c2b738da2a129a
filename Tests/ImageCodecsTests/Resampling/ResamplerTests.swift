import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Reduction")
struct ResamplerTests {
    @Test(
        "Every format and filter agrees with a slow reference, smaller and larger", arguments: PixelFormat.allCases,
        ResamplingFilter.allCases)
    func slowReference(format: PixelFormat, filter: ResamplingFilter) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let sizes = [(31, 22, 9, 7), (16, 16, 15, 3), (7, 5, 13, 11), (40, 3, 5, 3), (1, 1, 3, 2), (3, 50, 1, 1)]
        for (width, height, outWidth, outHeight) in sizes {
            let image = try Pictures.noise(width, height, format, using: &generator)
            let target = PixelSize(width: outWidth, height: outHeight)
            let actual = image.resized(to: target, filter: filter)
            #expect(actual.size == target)
            #expect(
                SlowReduction.agrees(with: actual, of: image, filter), "\(width)×\(height) → \(target), seed \(seed)")
        }
    }

    /// Black and white ones; two rows apart they are as far as the groups of four.
    private func lines(_ width: Int, _ height: Int, _ format: PixelFormat, spacing: Double) throws -> Image {
        var bytes: [UInt8] = []
        for y in 0..<height {
            let isWhite = Int(Double(y) / spacing) % 2 == 0
            bytes += [UInt8](repeating: isWhite ? 255 : 0, count: width * format.channels)
        }
        return try #require(Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
    }

    @Test(
        "Reductions so strong that rows are taken four at a time agree with it too",
        arguments: [PixelFormat.grey8, .rgb8], [ResamplingFilter.lanczos3, .mitchell])
    func strong(format: PixelFormat, filter: ResamplingFilter) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<8 {
            let ratio = Double.random(in: 12...40, using: &generator)
            let target = PixelSize(
                width: Int.random(in: 1...12, using: &generator), height: Int.random(in: 1...9, using: &generator))
            let (width, height) = (
                Int((ratio * Double(target.width)).rounded(.up)), Int((ratio * Double(target.height)).rounded(.up))
            )
            // Half a step is rounding.
            let kinds = [
                (try Pictures.noise(width, height, format, using: &generator), 1.0),
                (try lines(width, height, format, spacing: Double.random(in: 1.9...2.1, using: &generator)), 2.5),
            ]
            for (image, most) in kinds {
                let expected = SlowReduction.samples(of: image, target, filter)
                let actual = image.resized(to: target, filter: filter)
                let worst = actual.samples.indices.map { abs(Double(actual.samples[$0]) - expected[$0]) }.max() ?? 0
                #expect(worst <= most, "\(width)×\(height) → \(target), seed \(seed)")
            }
        }
    }

    /// Black and white where both filters overshoot most: as wide and as high as their lobes.
    private func lobes(
        _ width: Int, _ height: Int, _ format: PixelFormat, across: Double, down: Double
    ) throws -> Image {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isWhite = (Int(Double(x) / across) + Int(Double(y) / down)) % 2 == 0
                bytes += [UInt8](repeating: isWhite ? 255 : 0, count: format.channels)
            }
        }
        return try #require(Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
    }

    @Test(
        "Edges as far apart as a filter's lobes, across and down, agree with it at every ratio",
        arguments: [PixelFormat.grey8, .rgb8], [ResamplingFilter.lanczos3, .mitchell, .box])
    func edges(format: PixelFormat, filter: ResamplingFilter) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<10 {
            let ratio = pow(40, Double.random(in: -0.3...1, using: &generator))
            let other = ratio * Double.random(in: 0.7...1.4, using: &generator)
            let target = PixelSize(
                width: Int.random(in: 1...13, using: &generator), height: Int.random(in: 1...4, using: &generator))
            let (width, height) = (
                max(1, Int(ratio * Double(target.width))), max(1, Int(other * Double(target.height)))
            )
            // A picture that keeps its size is not filtered.
            guard (width, height) != (target.width, target.height) else { continue }
            let image = try lobes(
                width, height, format, across: max(1, ratio * Double.random(in: 0.8...1.2, using: &generator)),
                down: max(1, other * Double.random(in: 0.8...1.2, using: &generator)))
            let expected = SlowReduction.samples(of: image, target, filter)
            let actual = image.resized(to: target, filter: filter)
            let worst = actual.samples.indices.map { abs(Double(actual.samples[$0]) - expected[$0]) }.max() ?? 0
            // Half a step is rounding, and the rest what the strongest edges leave in fixed point.
            #expect(worst <= 1.5, "\(width)×\(height) → \(target), seed \(seed)")
        }
    }

    @Test("A flat picture stays flat, and transparent pixels lend no colour")
    func flat() throws {
        let samples = [UInt8](repeating: 93, count: 101 * 67 * 3)
        let grey = try #require(Image(size: PixelSize(width: 101, height: 67), format: .rgb8, bytes: samples))
        #expect(grey.resized(to: PixelSize(width: 13, height: 9)).bytes.allSatisfy { $0 == 93 })
        // Opaque red beside transparent green: what is left of the colour is red.
        var bytes: [UInt8] = []
        for _ in 0..<8 { for x in 0..<8 { bytes += x < 4 ? [255, 0, 0, 255] : [0, 255, 0, 0] } }
        let picture = try #require(Image(size: PixelSize(width: 8, height: 8), format: .rgba8, bytes: bytes))
        let reduced = picture.resized(to: PixelSize(width: 3, height: 3))
        #expect(stride(from: 1, to: reduced.bytes.count, by: 4).allSatisfy { reduced.bytes[$0] == 0 })
    }

    @Test("Two neighbouring levels by turns become the upper one everywhere, as halves are rounded", arguments: [1, 3])
    func halves(channels: Int) throws {
        let format: PixelFormat = channels == 1 ? .grey8 : .rgb8
        let (width, height) = (200, 160)
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { for _ in 0..<channels { bytes.append(UInt8((x + y) % 2)) } } }
        let image = try #require(Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
        for side in [50, 25, 20] {
            let reduced = image.resized(to: image.size.fitted(in: PixelSize(width: side, height: side)))
            #expect(reduced.bytes.allSatisfy { $0 == 1 }, "\(reduced.size)")
        }
    }

    @Test("Fitting keeps the shape, never enlarges and never vanishes")
    func fitting() {
        let photo = PixelSize(width: 4000, height: 3000)
        #expect(photo.fitted(in: PixelSize(width: 256, height: 256)) == PixelSize(width: 256, height: 192))
        #expect(photo.fitted(in: PixelSize(width: 9999, height: 9999)) == photo)
        #expect(
            PixelSize(width: 10_000, height: 1).fitted(in: PixelSize(width: 10, height: 10))
                == PixelSize(width: 10, height: 1))
        #expect(photo.fitted(in: PixelSize(width: 0, height: -1)) == PixelSize(width: 1, height: 1))
    }

    @Test("A photo decoded at a size is nearly the whole photo reduced", .enabled(if: SharedImages.areThere))
    func quality() throws {
        // Just above twice and two and a half times the size wanted is where a scaled transform shows most.
        let cases = [
            ("p640x480.jpg", 80, 54.0), ("p640x480.jpg", 120, 51), ("p640x480.jpg", 160, 51),
            ("p1200x800.jpg", 120, 50), ("p1200x800.jpg", 200, 52), ("p1200x800.jpg", 256, 53),
        ]
        for (name, side, least) in cases {
            let file = try SharedImages.bytes("photos/\(name)")
            let whole = try Image.decode(file)
            let reduced = try Image.decode(
                file, options: DecodeOptions(as: .fit(PixelSize(width: side, height: side))))
            #expect(Pictures.psnr(reduced, whole.resized(to: reduced.size)) >= least, "\(name) at \(side)")
        }
    }
}

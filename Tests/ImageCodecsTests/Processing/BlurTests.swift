import Foundation
import ImageCodecs
import StreamsTesting
import TestSupport
import Testing

@Suite("Blur")
struct BlurTests {
    /// A picture to blur, written down by what it is made of.
    private struct Case: Sendable {
        enum Kind: CaseIterable { case noise, edge, checks, dots }

        var format: PixelFormat
        var kind: Kind
        var width: Int
        var height: Int
        var sigma: Double
        var seed: Int

        func image() throws -> Image {
            var generator = SeededGenerator(seed: UInt64(seed))
            guard kind != .noise else { return try Pictures.noise(width, height, format, using: &generator) }
            let side = 1 + seed % 30
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let isWhite =
                        switch kind {
                        case .noise, .edge: x > seed % width
                        case .checks: (x / side + y / side).isMultiple(of: 2)
                        case .dots: x % side == 0 && y % side == 0
                        }
                    // Of half of them alpha goes with the colour, of the others it is whole.
                    let alpha: UInt8 = isWhite || seed.isMultiple(of: 2) ? 255 : 0
                    let colours = format.hasAlpha ? format.channels - 1 : format.channels
                    let unit = format.isDeep ? 2 : 1
                    bytes += [UInt8](repeating: isWhite ? 255 : 0, count: colours * unit)
                    bytes += [UInt8](repeating: alpha, count: format.hasAlpha ? unit : 0)
                }
            }
            return try #require(
                Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
        }
    }

    private static let cases: Gen<Case> = {
        let sigmas = Gen<Int>.int(in: 0...1_000).map { 0.2 * pow(500, Double($0) / 1_000) }
        return Gen<PixelFormat>.element(of: PixelFormat.allCases).flatMap { format in
            Gen<Case.Kind>.element(of: Case.Kind.allCases).flatMap { kind in
                Gen<Int>.int(in: 1...48).flatMap { width in
                    Gen<Int>.int(in: 1...48).flatMap { height in
                        sigmas.flatMap { sigma in
                            Gen<Int>.int(in: 0...1_000_000).map { seed in
                                Case(
                                    format: format, kind: kind, width: width, height: height, sigma: sigma, seed: seed)
                            }
                        }
                    }
                }
            }
        }
    }()

    @Test("Every sample is one step at most from the exact Gaussian, of any format and at any sigma")
    func exact() throws {
        try forAll("blur", Self.cases, cases: 300) { example in
            let image = try example.image()
            let blurred = Processors.Blur(sigma: example.sigma).process(image)
            let error = SlowBlur.worstError(of: blurred, image, sigma: example.sigma)
            guard error <= 1 else { throw Disproof("off by \(error)") }
        }
    }

    @Test("A flat picture stays as it is, however large sigma is", arguments: PixelFormat.allCases)
    func flat(format: PixelFormat) throws {
        for value: UInt8 in [0, 1, 127, 255] {
            let bytes = [UInt8](repeating: value, count: 40 * 3 * format.bytesPerPixel)
            let image = try #require(Image(size: PixelSize(width: 40, height: 3), format: format, bytes: bytes))
            // Where alpha is none, so is colour.
            for sigma: Double in [0.3, 2, 7, 900, 1e9, .infinity] {
                #expect(Processors.Blur(sigma: sigma).process(image) == image, "sigma \(sigma)")
            }
        }
    }

    @Test("Rows that are padded are read as such, and sigmas that are none change nothing")
    func rows() throws {
        let picture = try Pictures.gradient(9, 7)
        let padded = (0..<7).flatMap { y in picture.bytes[(y * 27)..<(y * 27 + 27)] + [9, 9, 9, 9, 9] }
        let image = try #require(Image(size: picture.size, format: .rgb8, bytes: padded, bytesPerRow: 32))
        for sigma in [1.0, 5] {
            #expect(Processors.Blur(sigma: sigma).process(image) == Processors.Blur(sigma: sigma).process(picture))
        }
        for sigma: Double in [0, -1, .nan, -.infinity] {
            #expect(Processors.Blur(sigma: sigma).process(image) == picture)
        }
    }
}

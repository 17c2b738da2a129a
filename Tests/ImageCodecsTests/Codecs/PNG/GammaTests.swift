import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Gamma of PNGs")
struct GammaTests {
    private static let stored = DecodeOptions(as: Rendition(keepsDepth: true, appliesGamma: false))

    private func chunk(_ gamma: Double) -> [UInt8] {
        PNGFile.chunk("gAMA", PNGFile.bigEndian(UInt32((gamma * 100_000).rounded())))
    }

    /// sRGB's sample, of one, for a sample that is a power of light.
    private func converted(_ sample: Double, _ gamma: Double) -> Double {
        let light = pow(sample, 1 / gamma)
        return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    @Test("Samples become sRGB's, from all bits that the file has; alpha stays", arguments: PixelFormat.allCases)
    func samples(format: PixelFormat) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try Pictures.noise(50, 40, format, using: &generator)
        for gamma in [0.2, 0.35, 1, 2.5] {
            for plain in [try picture.encoded(as: .png), PNGFile.interlaced(picture)] {
                let file = PNGFile.inserting(chunk(gamma), into: plain)
                #expect(try Image.decode(file, options: Self.stored).samples == picture.samples)
                #expect(try Image.decode(file, options: Self.stored).metadata.gamma == gamma)
                for keepsDepth in [false, true] {
                    let image = try Image.decode(file, options: DecodeOptions(as: Rendition(keepsDepth: keepsDepth)))
                    #expect(image.metadata.gamma == nil && image.format == format.deep(format.isDeep && keepsDepth))
                    let (from, to) = (format.isDeep ? 65_535.0 : 255, image.format.isDeep ? 65_535.0 : 255)
                    for (index, (sample, stored)) in zip(image.samples, picture.samples).enumerated() {
                        let isAlpha = format.hasAlpha && index % format.channels == format.channels - 1
                        guard !isAlpha else {
                            #expect(sample == (from == to ? stored : stored >> 8))
                            continue
                        }
                        let exact = to * converted(Double(stored) / from, gamma)
                        if abs(Double(sample) - exact) > 0.51 { Issue.record("\(stored): \(sample), seed \(seed)") }
                    }
                }
            }
        }
    }

    @Test("A linear picture of 16 bits is as bright as it is meant to be, small and as a JPEG too")
    func linear() throws {
        // As much light in each row as in the others.
        let samples = (0..<64 * 64).map { UInt16(65_535 * pow(Double($0 % 64) / 63, 2)) }
        let size = PixelSize(width: 64, height: 64)
        let picture = try #require(Image(size: size, format: .grey16, bytes: Pictures.native(samples)))
        let file = PNGFile.inserting(chunk(1), into: try picture.encoded(as: .png))
        func mean(_ image: Image) -> Double {
            Double(image.samples.reduce(0) { $0 + Int($1) }) / Double(image.samples.count)
        }
        let expected = samples.reduce(0) { $0 + 255 * converted(Double($1) / 65_535, 1) } / Double(samples.count)
        #expect(abs(mean(try Image.decode(file)) - expected) < 0.5)
        let small = try Image.decode(file, options: DecodeOptions(as: .fit(PixelSize(width: 16, height: 16))))
        #expect(abs(mean(small) - expected) < 1)
        #expect(abs(mean(try Image.decode(small.encoded(as: .jpeg))) - expected) < 1)
        let stored = try Image.decode(file, options: Self.stored)
        #expect(mean(stored) / 257 < expected - 30)
        #expect(abs(mean(try Image.decode(stored.encoded(as: .jpeg))) - expected) < 1)
    }

    @Test(
        "Nothing is converted where cICP, a profile or sRGB says what samples mean, or where it is sRGB's gamma anyway")
    func precedence() throws {
        let picture = try Pictures.gradient(20, 10)
        let plain = try picture.encoded(as: .png)
        let profiled = picture.withICCProfile(ICCProfiles.minimal(isGrey: false))
        let (sRGB, codePoints) = (PNGFile.chunk("sRGB", [0]), PNGFile.chunk("cICP", [1, 13, 0, 1]))
        for chunks in [chunk(1) + sRGB, chunk(1) + codePoints, chunk(0.45455), chunk(0.45), chunk(0.4762), []] {
            #expect(try Image.decode(PNGFile.inserting(chunks, into: plain)).samples == picture.samples)
        }
        #expect(try Image.decode(PNGFile.inserting(chunk(1), into: profiled.encoded(as: .png))) == profiled)
        for gamma in [0.42, 0.5] {
            #expect(try Image.decode(PNGFile.inserting(chunk(gamma), into: plain)).samples != picture.samples)
        }
    }

    @Test("PngSuite's pictures of six gammas all look alike", .enabled(if: SharedImages.areThere))
    func suite() throws {
        for kind in ["0g16", "2c08", "3p04"] {
            let names = ["03", "04", "05", "07", "10", "25"].map { "pngsuite/g\($0)n\(kind).png" }
            func unlike(_ options: DecodeOptions) throws -> [Int] {
                let images = try names.map {
                    try Image.decode(SharedImages.bytes($0), options: options).converted(to: .rgb8).samples
                }
                return images.dropFirst().map { zip($0, images[0]).filter { abs($0 - $1) > 10 }.count }
            }
            // In the middle each says its gamma, in about 30 pixels; and 8 bits leave little that is dark of the last.
            let counts = try unlike(DecodeOptions())
            #expect(counts.dropLast().allSatisfy { $0 <= 100 } && counts[4] <= 300, "\(kind): \(counts)")
            let stored = try unlike(DecodeOptions(as: Rendition(appliesGamma: false)))
            #expect(stored.allSatisfy { $0 > 400 }, "\(kind): \(stored)")
        }
    }
}

import CLCMS2
import Foundation
import ImageCodecs
import ImageColour
import TestSupport
import Testing

@Suite("Conversion to sRGB")
struct ConvertToSRGBTests {
    /// The profile of a colour space that has sRGB's curve or a power as its own.
    private static func profile(grey: Bool = false, primaries: Primaries = .displayP3, gamma: Double? = nil) -> [UInt8]
    {
        let curve =
            gamma.map { cmsBuildGamma(nil, $0) }
            ?? cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var corners = primaries.corners
        var curves = [curve, curve, curve]
        let profile =
            grey ? cmsCreateGrayProfile(cmsD50_xyY(), curve) : cmsCreateRGBProfile(&white, &corners, &curves)
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        cmsSaveProfileToMem(profile, nil, &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        cmsSaveProfileToMem(profile, &bytes, &count)
        return bytes
    }

    private enum Primaries {
        case displayP3, sRGB

        var corners: cmsCIExyYTRIPLE {
            switch self {
            case .displayP3: triple((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
            case .sRGB: triple((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
            }
        }

        private func triple(
            _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double)
        ) -> cmsCIExyYTRIPLE {
            cmsCIExyYTRIPLE(
                Red: cmsCIExyY(x: red.0, y: red.1, Y: 1), Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
                Blue: cmsCIExyY(x: blue.0, y: blue.1, Y: 1))
        }
    }

    /// Display P3 in sRGB's samples, from the two spaces' published primaries; between 0 and 1.
    private static func reference(_ pixel: SIMD3<Double>) -> SIMD3<Double> {
        let linear = SIMD3(Double.linear(pixel.x), .linear(pixel.y), .linear(pixel.z))
        let mixed = SIMD3(
            1.2249401 * linear.x - 0.2249402 * linear.y,
            -0.0420569 * linear.x + 1.0420571 * linear.y,
            -0.0196376 * linear.x - 0.0786361 * linear.y + 1.0982735 * linear.z)
        return SIMD3(.encoded(mixed.x), .encoded(mixed.y), .encoded(mixed.z))
    }

    @Test(
        "Display P3 becomes what the two spaces' definitions say, alpha what it was, whatever the format",
        arguments: [PixelFormat.rgb8, .rgba8, .rgb16, .rgba16])
    func displayP3(format: PixelFormat) throws {
        let profile = Self.profile()
        var generator = SeededGenerator(seed: 7)
        let size = PixelSize(width: 61, height: 33)
        let stride = size.width * format.bytesPerPixel + 6
        let bytes = (0..<stride * size.height).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let image = try #require(
            Image(size: size, format: format, bytes: bytes, bytesPerRow: stride, iccProfile: profile))
        let converted = try Processors.ConvertToSRGB().process(image)
        #expect(converted.size == size && converted.format == format && converted.iccProfile == nil)
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                guard let from = image.deepPixel(x: x, y: y), let to = converted.deepPixel(x: x, y: y) else { continue }
                if to.w != from.w { Issue.record("alpha \(from.w) became \(to.w)") }
                let expected =
                    65_535 * Self.reference(SIMD3(Double(from.x), Double(from.y), Double(from.z)) / 65_535)
                let error = SIMD3(Double(to.x), Double(to.y), Double(to.z)) - expected
                worst = max(worst, abs(error.x), abs(error.y), abs(error.z))
            }
        }
        // A profile states its primaries in 16 bits after the point.
        #expect(worst <= (format.isDeep ? 32 : 257))
    }

    @Test("Linear grey gets sRGB's curve and stays grey")
    func grey() throws {
        let ramp = (0...255).map { UInt8($0) }
        let image = try #require(
            Image(
                size: PixelSize(width: 256, height: 1), format: .grey8, bytes: ramp,
                iccProfile: Self.profile(grey: true, gamma: 1)))
        let converted = try Processors.ConvertToSRGB().process(image)
        #expect(converted.format == .grey8 && converted.iccProfile == nil)
        let errors = zip(ramp, converted.bytes).map { abs(255 * Double.encoded(Double($0) / 255) - Double($1)) }
        #expect(errors.allSatisfy { $0 <= 1 })
    }

    @Test("An image without a profile, or with sRGB's, keeps its samples")
    func unchanged() throws {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let image = try #require(Image(size: PixelSize(width: 10, height: 10), format: .rgb8, bytes: bytes))
        #expect(try Processors.ConvertToSRGB().process(image) == image)
        let tagged = image.withICCProfile(Self.profile(primaries: .sRGB))
        let converted = try Processors.ConvertToSRGB().process(tagged)
        #expect(zip(converted.bytes, bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test("A profile that is cut, garbled or for other samples is an error or a conversion, and never a crash")
    func hostile() throws {
        let pixel = try #require(Image(size: PixelSize(width: 1, height: 1), format: .rgb8, bytes: [200, 30, 40]))
        func convert(_ profile: [UInt8]) -> Image? {
            try? Processors.ConvertToSRGB().process(pixel.withICCProfile(profile))
        }
        #expect(convert([]) == nil)
        #expect(convert(Self.profile(grey: true)) == nil)
        let profile = Self.profile()
        #expect(convert(profile) != nil)
        for count in 0..<profile.count { _ = convert(Array(profile[..<count])) }
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            var garbled = profile
            for _ in 0..<3 {
                garbled[Int.random(in: 0..<garbled.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = convert(garbled)
        }
    }

    @Test("A conversion that is no longer wanted ends between two rows")
    func cancelled() throws {
        let image = try #require(
            Image(
                size: PixelSize(width: 1, height: 100), format: .rgb8, bytes: [UInt8](repeating: 1, count: 300),
                iccProfile: Self.profile()))
        var rows = 0
        let step = Processors.ConvertToSRGB()
        #expect(throws: ProcessingError.cancelled(step.identifier)) {
            try step.process(image) {
                rows += 1
                return rows > 10
            }
        }
        #expect(rows == 11)
    }

    @Test("Each intent has its own identifier, as its own images")
    func identifiers() {
        let all = RenderingIntent.allCases.map { Processors.ConvertToSRGB(intent: $0).identifier }
        #expect(Set(all).count == all.count)
        #expect(AnyImageProcessor.sRGB.identifier == Processors.ConvertToSRGB().identifier)
    }
}

extension Double {
    /// The light of a sample of sRGB, and back (IEC 61966-2-1).
    fileprivate static func linear(_ sample: Double) -> Double {
        sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    fileprivate static func encoded(_ light: Double) -> Double {
        let light = Swift.min(1, Swift.max(0, light))
        return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

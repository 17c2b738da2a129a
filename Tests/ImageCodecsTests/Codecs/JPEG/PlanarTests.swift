import JPEGReference
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("Luma and colours reduced as they are stored")
struct PlanarTests {
    /// Stripes and spots of white, black and the six saturated colours, a few pixels wide.
    private func saturated(_ width: Int, _ height: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let across = Int.random(in: 2...9, using: &generator)
        let down = Int.random(in: 2...9, using: &generator)
        let colours = (0..<64).map { _ in Int.random(in: 0..<8, using: &generator) }
        return (0..<width * height * 3).map { index in
            let (x, y) = (index / 3 % width / across, index / 3 / width / down)
            return colours[(7 * x + 11 * y) % 64] >> (index % 3) & 1 == 0 ? 0 : 255
        }
    }

    @Test("A picture in saturated colours comes out as if it had been converted to RGB first, whatever its sampling")
    func saturated() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        var least = Double.infinity
        for round in 0..<24 {
            var settings = jpeg_reference_settings()
            settings.components = 3
            settings.quality = 95
            (settings.horizontal, settings.vertical) = [(1, 1), (2, 1), (1, 2), (2, 2)][round % 4]
            settings.is_progressive = Int32(round / 4 % 2)
            let (width, height) = (
                Int.random(in: 90...300, using: &generator), Int.random(in: 90...300, using: &generator)
            )
            let pixels = saturated(width, height, using: &generator)
            let file = try RandomJPEG.encoded(pixels, width, height, settings)
            let ratio = Double.random(in: 2.6...5, using: &generator)
            let side = Int(Double(max(width, height)) / ratio)
            let reduced = try Image.decode(
                file, options: DecodeOptions(as: .fit(PixelSize(width: side, height: side))))
            let psnr = Pictures.psnr(reduced, try Image.decode(file).resized(to: reduced.size))
            least = min(least, psnr)
            #expect(psnr > 38, "\(width) × \(height) to \(reduced.size), \(settings), seed \(seed)")
        }
        print("least of saturated pictures: \(least)")
    }

    @Test("Taps on stored samples give what those on enlarged ones do")
    func taps() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<200 {
            let count = Int.random(in: 3...200, using: &generator)
            let source = 2 * count - Int.random(in: 0...1, using: &generator)
            let stored = Enlargement(factor: 2, count: count, isSmooth: Bool.random(using: &generator))
            let start = Double.random(in: 0..<Double(source) / 2, using: &generator)
            let extent = Double.random(in: 2...Double(source) - start, using: &generator)
            let taps = FilterTaps(
                source: source, start: start, extent: extent,
                output: Int.random(in: 1...max(1, Int(extent / 2)), using: &generator),
                filter: ResamplingFilter.allCases.randomElement(using: &generator) ?? .lanczos3)
            let composed = FilterTaps(taps, on: stored)
            let samples = (0..<count).map { _ in Float.random(in: 0...255, using: &generator) }
            let enlarged = (0..<source).map { index in
                let (near, far) = stored.parts(of: index)
                return 0.75 * samples[near] + 0.25 * samples[far]
            }
            for output in taps.first.indices {
                let difference = sum(taps, output, enlarged) - sum(composed, output, samples)
                #expect(abs(difference) < 0.01, "\(source) from \(start), \(extent), \(output), seed \(seed)")
            }
        }
    }

    private func sum(_ taps: FilterTaps, _ output: Int, _ samples: [Float]) -> Float {
        (0..<taps.count[output]).reduce(0) { sum, index in
            let sample = samples[taps.range.lowerBound + taps.first[output] + index]
            return sum + taps.weights[output * taps.stride + index] * sample
        }
    }
}

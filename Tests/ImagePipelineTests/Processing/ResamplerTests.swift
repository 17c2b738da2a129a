import Foundation
import ImagePipeline
import Testing

@Suite("Reduction")
struct ResamplerTests {
    /// A filter's curve as the textbooks have it: Mitchell and Netravali, "Reconstruction filters in computer graphics",
    /// 1988, equation 8 with B = C = 1/3.
    private func curve(_ filter: ResamplingFilter, _ x: Double) -> Double {
        switch filter {
        case .lanczos3:
            let angle = Double.pi * x
            return abs(x) < 1e-9 ? 1 : abs(x) < 3 ? sin(angle) * sin(angle / 3) * 3 / (angle * angle) : 0
        case .mitchell:
            let (b, c, t) = (1.0 / 3, 1.0 / 3, abs(x))
            if t < 1 {
                return ((12 - 9 * b - 6 * c) * pow(t, 3) + (-18 + 12 * b + 6 * c) * t * t + 6 - 2 * b) / 6
            }
            guard t < 2 else { return 0 }
            return ((-b - 6 * c) * pow(t, 3) + (6 * b + 30 * c) * t * t + (-12 * b - 48 * c) * t + 8 * b + 24 * c) / 6
        case .bilinear: return abs(x) < 1 ? 1 - abs(x) : 0
        case .box, .nearest: return 0
        }
    }

    /// Doubles, pixel by pixel, as a textbook has it; alpha premultiplied.
    private func reference(_ image: Image, _ target: PixelSize, _ filter: ResamplingFilter = .lanczos3) -> [Double] {
        func weights(_ index: Int, source: Int, output: Int) -> [(Int, Double)] {
            let ratio = Double(source) / Double(output)
            let widening = max(1, ratio)
            let centre = (Double(index) + 0.5) * ratio
            var result: [(Int, Double)] = []
            for sample in 0..<source {
                let weight =
                    switch filter {
                    case .box:
                        max(0, min(Double(sample + 1), centre + ratio / 2) - max(Double(sample), centre - ratio / 2))
                    case .nearest: Int(centre) == sample ? 1.0 : 0
                    default: curve(filter, (Double(sample) + 0.5 - centre) / widening)
                    }
                if weight != 0 { result.append((sample, weight)) }
            }
            let sum = result.reduce(0) { $0 + $1.1 }
            return result.map { ($0.0, $0.1 / sum) }
        }
        let channels = image.format.channels
        let alphaAt = image.format.hasAlpha ? channels - 1 : -1
        let columns = (0..<target.width).map { weights($0, source: image.width, output: target.width) }
        var out: [Double] = []
        for y in 0..<target.height {
            let rows = weights(y, source: image.height, output: target.height)
            for column in columns {
                var sums = [Double](repeating: 0, count: channels)
                for (row, down) in rows {
                    for (x, across) in column {
                        let at = row * image.bytesPerRow + x * channels
                        let alpha = alphaAt < 0 ? 1 : Double(image.bytes[at + alphaAt]) / 255
                        for channel in 0..<channels {
                            let share = channel == alphaAt ? 1 : alpha
                            sums[channel] += down * across * share * Double(image.bytes[at + channel])
                        }
                    }
                }
                if alphaAt >= 0 {
                    let alpha = sums[alphaAt]
                    for channel in 0..<alphaAt { sums[channel] = alpha > 0 ? sums[channel] * 255 / alpha : 0 }
                }
                out += sums.map { min(255, max(0, $0)) }
            }
        }
        return out
    }

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
            let expected = reference(image, target, filter)
            let actual = image.resized(to: target, filter: filter)
            #expect(actual.size == target)
            let alphaAt = format.hasAlpha ? format.channels - 1 : -1
            for (index, value) in actual.bytes.enumerated() {
                // Where hardly anything is opaque, straight colour is a quotient of small numbers.
                if alphaAt >= 0, expected[index / format.channels * format.channels + alphaAt] < 16 { continue }
                #expect(abs(Double(value) - expected[index]) <= 0.75, "\(width)×\(height) → \(target), seed \(seed)")
            }
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
                file, options: DecodeOptions(targetSize: PixelSize(width: side, height: side)))
            #expect(Pictures.psnr(reduced, whole.resized(to: reduced.size)) >= least, "\(name) at \(side)")
        }
    }
}

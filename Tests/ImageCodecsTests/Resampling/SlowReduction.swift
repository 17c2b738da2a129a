import Foundation
import ImageCodecs

/// Reduction and enlargement as a textbook has them, in doubles.
enum SlowReduction {
    /// The light, 0 to `largest`, that a sample stands for, and the other way round (IEC 61966-2-1).
    static func light(_ sample: Double, largest: Double) -> Double {
        let value = sample / largest
        return largest * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }

    private static func sample(_ light: Double, largest: Double) -> Double {
        let value = light / largest
        return largest * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
    }

    /// A filter's curve as the textbooks have it: Mitchell and Netravali, "Reconstruction filters in computer graphics",
    /// 1988, equation 8 with B = C = 1/3.
    private static func curve(_ filter: ResamplingFilter, _ x: Double) -> Double {
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

    /// Whether a picture reduced, or enlarged, is this one to within rounding.
    static func agrees(
        with actual: Image, of image: Image, _ filter: ResamplingFilter, linearLight: Bool = false
    ) -> Bool {
        let expected = samples(of: image, actual.size, filter, linearLight: linearLight)
        let (channels, isDeep) = (actual.format.channels, actual.format.isDeep)
        return zip(actual.samples, expected).enumerated().allSatisfy { index, pair in
            // Where hardly anything is opaque, straight colour is a quotient of small numbers.
            let alpha = expected[index / channels * channels + channels - 1]
            if actual.format.hasAlpha, alpha < (isDeep ? 4_096 : 16) { return true }
            return abs(Double(pair.0) - pair.1) <= (isDeep ? 1.5 : 0.75)
        }
    }

    /// Doubles, pixel by pixel, as a textbook has it; alpha premultiplied.
    ///
    /// - Parameter linearLight: whether light is what is weighted.
    static func samples(
        of image: Image, _ target: PixelSize, _ filter: ResamplingFilter = .lanczos3, linearLight: Bool = false
    ) -> [Double] {
        let largest: Double = image.format.isDeep ? 65_535 : 255
        let samples = image.samples
        func value(_ sample: Int) -> Double {
            linearLight ? light(Double(sample), largest: largest) : Double(sample)
        }
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
                        let at = (row * image.width + x) * channels
                        let alpha = alphaAt < 0 ? 1 : Double(samples[at + alphaAt]) / largest
                        for channel in 0..<channels {
                            let share = channel == alphaAt ? 1 : alpha
                            sums[channel] +=
                                down * across * share
                                * (channel == alphaAt
                                    ? Double(samples[at + channel]) : value(samples[at + channel]))
                        }
                    }
                }
                if alphaAt >= 0 {
                    let alpha = sums[alphaAt]
                    for channel in 0..<alphaAt { sums[channel] = alpha > 0 ? sums[channel] * largest / alpha : 0 }
                }
                for (channel, sum) in sums.enumerated() {
                    let sample = min(largest, max(0, sum))
                    out.append(linearLight && channel != alphaAt ? self.sample(sample, largest: largest) : sample)
                }
            }
        }
        return out
    }
}

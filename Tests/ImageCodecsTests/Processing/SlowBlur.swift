import Foundation
import ImageCodecs

/// A Gaussian blur as a textbook has it: a direct convolution in doubles, down and across, with the pixels at the edges going on.
enum SlowBlur {
    /// The worst error of a blurred picture, in steps of a sample; that of colour counts as much as its pixel is opaque.
    static func worstError(of blurred: Image, _ image: Image, sigma: Double) -> Double {
        let format = image.format
        let channels = format.channels
        let largest: Double = format.isDeep ? 65_535 : 255
        let exact = samples(of: image, sigma: sigma)
        let actual = blurred.samples
        guard blurred.size == image.size, blurred.format == format, actual.count == exact.count else {
            return .infinity
        }
        return actual.indices.map { index in
            let isColour = format.hasAlpha && index % channels < channels - 1
            guard isColour else { return abs(Double(actual[index]) - exact[index]) }
            let share = exact[index / channels * channels + channels - 1] / largest
            return abs(Double(actual[index]) * share - exact[index])
        }.max() ?? 0
    }

    /// Sample by sample, colour times alpha.
    private static func samples(of image: Image, sigma: Double) -> [Double] {
        let (width, height, channels) = (image.width, image.height, image.format.channels)
        let largest: Double = image.format.isDeep ? 65_535 : 255
        var values = image.samples.map { Double($0) }
        if image.format.hasAlpha {
            for index in values.indices where index % channels < channels - 1 {
                values[index] *= values[index / channels * channels + channels - 1] / largest
            }
        }
        let (down, across) = (windows(height, sigma: sigma), windows(width, sigma: sigma))
        let row = width * channels
        var between = [Double](repeating: 0, count: values.count)
        for y in 0..<height {
            for from in 0..<height {
                let weight = down[y * height + from]
                guard weight > 0 else { continue }
                for index in 0..<row { between[y * row + index] += weight * values[from * row + index] }
            }
        }
        var result = [Double](repeating: 0, count: values.count)
        for x in 0..<width {
            for from in 0..<width {
                let weight = across[x * width + from]
                guard weight > 0 else { continue }
                for y in 0..<height {
                    for channel in 0..<channels {
                        result[y * row + x * channels + channel] +=
                            weight * between[y * row + from * channels + channel]
                    }
                }
            }
        }
        return result
    }

    /// A sample's weights of all samples along an axis.
    private static func windows(_ count: Int, sigma: Double) -> [Double] {
        let reach = Int(8 * sigma) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        var windows = [Double](repeating: 0, count: count * count)
        for index in 0..<count {
            for (offset, weight) in weights.enumerated() {
                windows[index * count + max(0, min(count - 1, index + offset - reach))] += weight / sum
            }
        }
        return windows
    }
}

import Glibc
import ImageCodecs

/// How alike two RGB pictures of one size are.
enum Quality {
    /// Peak signal-to-noise ratio in decibels over all samples; `reference` holds them unrounded.
    static func psnr(_ image: Image, _ reference: Reference) -> Double? {
        guard image.size == reference.size, image.bytes.count == reference.samples.count else { return nil }
        var squares = 0.0
        for (sample, exact) in zip(image.bytes, reference.samples) {
            let difference = Double(sample) - exact
            squares += difference * difference
        }
        return 10 * log10(255 * 255 * Double(image.bytes.count) / max(squares, 1e-9))
    }

    /// Structural similarity of luma: means over Gaussian windows of 11 × 11, sigma 1.5 (Wang et al., 2004).
    static func ssim(_ image: Image, _ reference: Reference) -> Double? {
        guard image.size == reference.size, image.bytes.count == reference.samples.count, image.width >= 11,
            image.height >= 11
        else { return nil }
        func luma(_ sample: (Int) -> Double) -> [Double] {
            (0..<image.width * image.height).map {
                0.299 * sample(3 * $0) + 0.587 * sample(3 * $0 + 1) + 0.114 * sample(3 * $0 + 2)
            }
        }
        let left = luma { Double(image.bytes[$0]) }
        let right = luma { reference.samples[$0] }
        func blurred(_ values: [Double]) -> [Double] { blur(values, image.width, image.height) }
        let (meanLeft, meanRight) = (blurred(left), blurred(right))
        let squareLeft = blurred(left.map { $0 * $0 })
        let squareRight = blurred(right.map { $0 * $0 })
        let product = blurred(zip(left, right).map { $0 * $1 })
        let (c1, c2) = (6.5025, 58.5225)
        var sum = 0.0
        for index in meanLeft.indices {
            let (a, b) = (meanLeft[index], meanRight[index])
            let variances = squareLeft[index] - a * a + squareRight[index] - b * b
            let covariance = product[index] - a * b
            sum += (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2))
        }
        return sum / Double(meanLeft.count)
    }

    /// Where the whole window lies inside.
    private static func blur(_ values: [Double], _ width: Int, _ height: Int) -> [Double] {
        var window = (-5...5).map { exp(-Double($0 * $0) / 4.5) }
        let total = window.reduce(0, +)
        window = window.map { $0 / total }
        let across = width - 10
        var rows: [Double] = []
        for y in 0..<height {
            for x in 0..<across {
                rows.append((0..<11).reduce(0.0) { $0 + window[$1] * values[y * width + x + $1] })
            }
        }
        var result: [Double] = []
        for y in 0..<(height - 10) {
            for x in 0..<across {
                result.append((0..<11).reduce(0.0) { $0 + window[$1] * rows[(y + $1) * across + x] })
            }
        }
        return result
    }
}

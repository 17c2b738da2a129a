import Glibc
import ImageCodecs

/// What a thumbnail should be: the full picture reduced by a separable Lanczos filter (3 lobes, as wide as the reduction)
/// in double precision, on the samples as they stand, unrounded. Written apart from the library's own filter.
struct Reference {
    let size: PixelSize
    /// RGB, row by row.
    let samples: [Double]

    init(_ image: Image, side: Int) {
        size = image.size.fitted(in: PixelSize(width: side, height: side))
        let (columns, rows) = (Self.windows(image.width, size.width), Self.windows(image.height, size.height))
        let width = size.width
        var result = [Double](repeating: 0, count: size.height * width * 3)
        var line = [Double](repeating: 0, count: width * 3)
        var first = 0
        for y in 0..<image.height {
            image.bytes.withUnsafeBufferPointer { bytes in
                let row = y * image.bytesPerRow
                for (x, window) in columns.enumerated() {
                    var (red, green, blue) = (0.0, 0.0, 0.0)
                    var at = row + window.first * 3
                    for weight in window.weights {
                        red += weight * Double(bytes[at])
                        green += weight * Double(bytes[at + 1])
                        blue += weight * Double(bytes[at + 2])
                        at += 3
                    }
                    line[3 * x] = red
                    line[3 * x + 1] = green
                    line[3 * x + 2] = blue
                }
            }
            while first < rows.count, rows[first].first + rows[first].weights.count <= y { first += 1 }
            for index in first..<rows.count {
                guard rows[index].first <= y else { break }
                let weight = rows[index].weights[y - rows[index].first]
                for x in 0..<(width * 3) { result[index * width * 3 + x] += weight * line[x] }
            }
        }
        samples = result.map { min(255, max(0, $0)) }
    }

    private struct Window {
        let first: Int
        let weights: [Double]
    }

    private static func windows(_ source: Int, _ output: Int) -> [Window] {
        let ratio = Double(source) / Double(output)
        let widening = max(1, ratio)
        return (0..<output).map { index in
            let centre = (Double(index) + 0.5) * ratio
            let low = max(0, Int((centre - 3 * widening).rounded(.down)))
            let high = min(source, Int((centre + 3 * widening).rounded(.up)))
            let weights = (low..<high).map { lanczos((Double($0) + 0.5 - centre) / widening) }
            let sum = weights.reduce(0, +)
            return Window(first: low, weights: weights.map { $0 / sum })
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}

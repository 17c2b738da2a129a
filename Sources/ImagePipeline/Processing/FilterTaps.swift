#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Along one axis: which source samples each output sample is made of, and their weights (Lanczos, 3 lobes).
///
/// The filter is widened by the reduction's ratio, so that it is also the low-pass the reduction needs; at the edges it is
/// cut and its weights sum to 1 again.
struct FilterTaps {
    /// First source sample, and how many, of each output sample. Both ends only grow from one output to the next.
    let first: [Int]
    let count: [Int]
    /// `stride` weights per output, zero beyond its count.
    let weights: [Float]
    let stride: Int

    /// - Parameters:
    ///   - source: samples there are.
    ///   - extent: how many of them the picture really covers: a scaled JPEG's last sample may lie partly outside.
    ///   - output: samples wanted.
    init(source: Int, extent: Double, output: Int) {
        let ratio = extent / Double(output)
        let widening = max(1, ratio)
        let radius = 3 * widening
        let stride = Self.stride(source: source, extent: extent, output: output)
        var first: [Int] = []
        var count: [Int] = []
        var weights = [Float](repeating: 0, count: output * stride)
        first.reserveCapacity(output)
        count.reserveCapacity(output)
        for index in 0..<output {
            let centre = (Double(index) + 0.5) * ratio
            let low = max(0, min(source - 1, Int((centre - radius).rounded(.down))))
            let high = max(low + 1, min(source, Int((centre + radius).rounded(.up)), low + stride))
            var sum = 0.0
            for sample in low..<high { sum += Self.lanczos3((Double(sample) + 0.5 - centre) / widening) }
            // A window that lies beyond the last sample has no weight; the nearest sample stands in.
            let scale = abs(sum) > 1e-6 ? 1 / sum : 0
            for sample in low..<high {
                let weight = Self.lanczos3((Double(sample) + 0.5 - centre) / widening) * scale
                weights[index * stride + sample - low] = Float(weight)
            }
            if scale == 0 { weights[index * stride + (centre < Double(low) ? 0 : high - low - 1)] = 1 }
            first.append(low)
            count.append(high - low)
        }
        self.first = first
        self.count = count
        self.weights = weights
        self.stride = stride
    }

    /// The widest window, rounded up to whole SIMD4 vectors.
    static func stride(source: Int, extent: Double, output: Int) -> Int {
        let radius = 3 * max(1, extent / Double(output))
        let widest = min(source, Int((2 * radius).rounded(.up)) + 2)
        return (widest + 3) / 4 * 4
    }

    /// How many outputs are under way at once when source samples come one after the other.
    var overlap: Int {
        var widest = 1
        var oldest = 0
        for index in first.indices {
            while first[oldest] + count[oldest] <= first[index] { oldest += 1 }
            widest = max(widest, index - oldest + 1)
        }
        return widest
    }

    private static func lanczos3(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}

/// Along one axis: which source samples each output sample is made of, and their weights (Lanczos, 3 lobes).
///
/// The filter is widened by the reduction's ratio, so that it is also the low-pass the reduction needs; at the edges it is
/// cut and its weights sum to 1 again.
///
/// What has averaged the samples before (a scaled inverse transform that takes the mean of n × n pixels) has also dulled
/// the frequencies that the output is to show. `averaged` says how many were averaged; the taps then give that back.
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
    ///   - averaged: how many samples along this axis each source sample is the mean of.
    init(source: Int, extent: Double, output: Int, averaged: Int = 1) {
        let ratio = extent / Double(output)
        let widening = max(1, ratio)
        let radius = 3 * widening
        let stride = Self.stride(source: source, extent: extent, output: output)
        let sharpening = Self.sharpening(averaged: averaged)
        let margin = sharpening > 0 ? 1 : 0
        var lanczos = LanczosRow(step: 1 / widening, count: stride + 2)
        var first: [Int] = []
        var count: [Int] = []
        var weights = [Float](repeating: 0, count: output * stride)
        first.reserveCapacity(output)
        count.reserveCapacity(output)
        for index in 0..<output {
            let centre = (Double(index) + 0.5) * ratio
            let low = max(0, min(source - 1, Int(centre - radius) - margin))
            let high = max(low + 1, min(source, Self.ceiling(centre + radius) + margin, low + stride))
            // From one sample before the window to one after it, which sharpening looks at.
            lanczos.sample(from: (Double(low) - 0.5 - centre) / widening, count: high - low + 2)
            let base = index * stride - low
            var sum: Float = 0
            for sample in low..<high {
                let at = sample - low + 1
                var exact = lanczos.values[at]
                if sharpening > 0 {
                    let neighbours = lanczos.values[at - 1] + lanczos.values[at + 1]
                    exact += sharpening * (2 * exact - neighbours)
                }
                let weight = Float(exact)
                weights[base + sample] = weight
                sum += weight
            }
            if abs(sum) > 1e-6 {
                for sample in low..<high { weights[base + sample] /= sum }
            } else {
                // A window that lies beyond the last sample has no weight; the nearest sample stands in.
                weights[base + (centre < Double(low) ? low : high - 1)] = 1
            }
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
        let widest = min(source, ceiling(2 * radius) + 4)
        return (widest + 3) / 4 * 4
    }

    /// How many outputs are under way at once, at most, when source samples come `batch` at a time.
    func overlap(batch: Int) -> Int {
        var widest = 1
        var oldest = 0
        for index in first.indices {
            // An output is finished with the batch that its last sample is in.
            while first[oldest] + count[oldest] + batch - 1 <= first[index] { oldest += 1 }
            widest = max(widest, index - oldest + 1)
        }
        return widest
    }

    /// The weight a of [-a, 1 + 2a, -a], which undoes a mean of n samples where it matters.
    ///
    /// With f in cycles per source sample, the mean passes 1 - (1 - 1/n²)π²f²/6, and that kernel 1 + 4aπ²f², both up to
    /// fourth powers; as the source has at least twice the samples wanted, f stays below a quarter.
    private static func sharpening(averaged: Int) -> Double {
        (1 - 1 / Double(averaged * averaged)) / 24
    }

    private static func ceiling(_ value: Double) -> Int {
        let whole = Int(value)
        return Double(whole) < value ? whole + 1 : whole
    }
}

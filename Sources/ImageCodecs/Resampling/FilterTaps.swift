/// Along one axis: which source samples each output sample is made of, and their weights.
///
/// At the picture's edges the filter is cut and its weights sum to 1 again; at the edges of a part of it, it reaches beyond.
///
/// What has averaged the samples before (a scaled inverse transform that takes the mean of n × n pixels) has also dulled
/// the frequencies that the output is to show. `averaged` says how many were averaged; the taps then give that back.
struct FilterTaps {
    /// The source samples that any output sample is made of: others need not be there.
    let range: Range<Int>
    /// First source sample, counted from `range`, and how many, of each output sample. Both ends only grow from one output
    /// to the next.
    let first: [Int]
    let count: [Int]
    /// `stride` weights per output, zero beyond its count.
    var weights: [Float]
    let stride: Int
    /// The largest weight, and the largest sum of an output's weights, both without their signs.
    let extremes: (weight: Float, sum: Float)

    /// - Parameters:
    ///   - source: samples there are.
    ///   - start: where the part begins that is shown, in source samples.
    ///   - extent: how many of them it covers: a scaled JPEG's last sample may lie partly outside.
    ///   - output: samples wanted.
    ///   - averaged: how many samples along this axis each source sample is the mean of.
    init(
        source: Int, start: Double, extent: Double, output: Int, filter: ResamplingFilter, averaged: Int = 1
    ) {
        let ratio = extent / Double(output)
        let radius = filter.radius(ratio: ratio)
        let stride = Self.stride(source: source, extent: extent, output: output, filter: filter)
        let sharpening = filter.isCorrected ? Self.sharpening(averaged: averaged) : 0
        let margin = sharpening > 0 ? 1 : 0
        // The last sample of a scaled JPEG stands for pixels beyond the picture as well, which an encoder has made up: it counts for as much
        // of it as lies within, and for a little less, as in fine patterns the last pixel, repeated, is not what they are on average.
        let within = start + extent - Double(source - 1)
        let lastShare = within > 0 && within < 1 ? within * within.squareRoot().squareRoot() : 1
        let period = Self.period(ratio)
        var kernel = KernelRow(filter, ratio: ratio, count: stride + 2)
        var first: [Int] = []
        var count: [Int] = []
        var weights = [Float](repeating: 0, count: output * stride)
        var extremes = (weight: Float(0), sum: Float(0))
        first.reserveCapacity(output)
        count.reserveCapacity(output)
        for index in 0..<output {
            let centre = start + (Double(index) + 0.5) * ratio
            let low = max(0, min(source - 1, Int(centre - radius) - margin))
            let high = max(low + 1, min(source, Self.ceiling(centre + radius) + margin, low + stride))
            defer {
                first.append(low)
                count.append(high - low)
            }
            if let period, index >= period.outputs, high < source,
                low == first[index - period.outputs] + period.samples,
                high - low == count[index - period.outputs]
            {
                weights.withUnsafeMutableBufferPointer { weights in
                    guard let base = weights.baseAddress else { return }
                    let from = base + (index - period.outputs) * stride
                    (base + index * stride).update(from: from, count: stride)
                }
                continue
            }
            // From one sample before the window to one after it, which sharpening looks at.
            kernel.sample(from: Double(low) - 0.5 - centre, count: high - low + 2)
            let values = kernel.values
            let base = index * stride - low
            var sum: Float = 0
            for sample in low..<high {
                let at = sample - low + 1
                var exact = values[at]
                if sharpening > 0 {
                    let neighbours = values[at - 1] + values[at + 1]
                    exact += sharpening * (2 * exact - neighbours)
                }
                if sample == source - 1 { exact *= lastShare }
                let weight = Float(exact)
                weights[base + sample] = weight
                sum += weight
            }
            guard abs(sum) > 1e-6 else {
                // A window that lies beyond the last sample has no weight; the nearest sample stands in.
                weights[base + (centre < Double(low) ? low : high - 1)] = 1
                extremes = (max(1, extremes.weight), max(1, extremes.sum))
                continue
            }
            var size: Float = 0
            for sample in low..<high {
                let weight = weights[base + sample] / sum
                weights[base + sample] = weight
                size += abs(weight)
                if abs(weight) > extremes.weight { extremes.weight = abs(weight) }
            }
            if size > extremes.sum { extremes.sum = size }
        }
        let lowest = first.first ?? 0
        range = lowest..<max(lowest + 1, (first.last ?? 0) + (count.last ?? 0))
        self.first = lowest == 0 ? first : first.map { $0 - lowest }
        self.count = count
        self.weights = weights
        self.stride = stride
        self.extremes = extremes
    }

    /// Joins the taps of several parts, as if their source samples lay side by side with nothing between them.
    init(joining parts: [FilterTaps]) {
        let widest = parts.map(\.stride).max() ?? 4
        var (first, count, weights, samples): ([Int], [Int], [Float], Int) = ([], [], [], 0)
        for part in parts {
            first += part.first.map { $0 + samples }
            count += part.count
            for output in part.count.indices {
                weights += part.weights[output * part.stride..<(output + 1) * part.stride]
                weights += [Float](repeating: 0, count: widest - part.stride)
            }
            samples += part.range.count
        }
        (range, stride) = (0..<max(1, samples), widest)
        extremes = (parts.map(\.extremes.weight).max() ?? 0, parts.map(\.extremes.sum).max() ?? 0)
        (self.first, self.count, self.weights) = (first, count, weights)
    }

    /// After how many outputs, and so many samples, windows lie among the samples as they did before; nil for none that is worth it. The same
    /// weights are then not computed again.
    private static func period(_ ratio: Double) -> (outputs: Int, samples: Int)? {
        guard ratio >= 1 / 256 else { return nil }
        let outputs = (1...256).first { abs(Double($0) * ratio - (Double($0) * ratio).rounded()) < 1e-9 }
        return outputs.map { ($0, Int((Double($0) * ratio).rounded())) }
    }

    /// The widest window, rounded up to whole SIMD4 vectors.
    static func stride(source: Int, extent: Double, output: Int, filter: ResamplingFilter) -> Int {
        let radius = filter.radius(ratio: extent / Double(output))
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

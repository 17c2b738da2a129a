import Files

extension FilterTaps {
    /// Gaussian windows around `start`, `start + step` and so on. Where they reach beyond the samples there are, the first or
    /// the last one stands for those beyond it.
    ///
    /// - Parameters:
    ///   - sigma: the standard deviation, in source samples.
    ///   - reach: how far a window reaches to each side, in source samples.
    ///   - output: how many windows.
    ///   - source: samples there are.
    init(gaussian sigma: Double, reach: Double, start: Double, step: Double, output: Int, source: Int) {
        let stride = (min(source, Int(2 * reach) + 2) + 3) / 4 * 4
        let slope = -1 / (2 * sigma * sigma)
        var first: [Int] = []
        var count: [Int] = []
        var weights = [Float](repeating: 0, count: output * stride)
        var window = [Double](repeating: 0, count: stride)
        for index in 0..<output {
            let centre = start + Double(index) * step
            let low = Int((centre - reach).rounded(.up))
            let high = max(low, Int((centre + reach).rounded(.down)))
            let (lowest, highest) = (max(0, min(source - 1, low)), max(0, min(source - 1, high)))
            var sum = 0.0
            for sample in low...high {
                let distance = Double(sample) - centre
                let weight = exp(distance * distance * slope)
                window[max(lowest, min(highest, sample)) - lowest] += weight
                sum += weight
            }
            for offset in 0...(highest - lowest) {
                weights[index * stride + offset] = Float(window[offset] / sum)
                window[offset] = 0
            }
            first.append(lowest)
            count.append(highest - lowest + 1)
        }
        range = 0..<source
        self.first = first
        self.count = count
        self.weights = weights
        self.stride = stride
        // All are positive.
        extremes = (weights.max() ?? 0, 1)
    }
}

import CRows

/// Weighted sums along rows of ``FixedRows``' sums, in fixed point of 16 bits: from the rows' samples to those of the output.
///
/// Eight rows at a time: what they have of two neighbouring pixels lies side by side, and is multiplied by two weights and added, in 32 bits,
/// which is one instruction.
final class FixedTaps {
    /// The rows that are reduced at a time.
    static let rows = 8
    /// The pairs of pixels that are gathered at a time, so that they stay in the nearest cache.
    private static let gatheredPairs = 128

    private let firsts: UnsafeMutablePointer<Int32>
    private let weights: UnsafeMutablePointer<Int16>
    private let gathered: UnsafeMutableRawPointer
    private let taps: crows_taps

    /// - Parameters:
    ///   - taps: the weights.
    ///   - unit: what a whole weight of the rows' sums is.
    ///   - across: the largest weight, and the most that an output's weights are together, without their signs.
    ///   - down: the same of the rows' weights.
    ///   - channels: one or three.
    init(
        _ taps: FilterTaps, unit: Float, across: (weight: Float, sum: Float), down: (weight: Float, sum: Float),
        channels: Int
    ) {
        // A sum of products has 14 bits of the row, those of the weight, and what both filters overshoot; it has to fit into 32.
        let bits: Int32 = across.weight < 0.99 && across.sum * down.sum < 3 ? 15 : 14
        let count = taps.count.count
        func span(_ output: Int) -> (first: Int, end: Int) {
            (taps.first[output] / 2, (taps.first[output] + taps.count[output] + 1) / 2)
        }
        var (pairs, end) = (1, 1)
        for output in 0..<count {
            let span = span(output)
            (pairs, end) = (max(pairs, span.end - span.first), max(end, span.end))
        }
        firsts = .allocate(capacity: count)
        weights = .allocate(capacity: 2 * count * pairs)
        weights.initialize(repeating: 0, count: 2 * count * pairs)
        let whole = Float(Int32(1) << bits)
        for output in 0..<count {
            // The last ones begin earlier than they need, so that they end where the row does.
            let first = min(span(output).first, end - pairs)
            (firsts + output).initialize(to: Int32(first))
            let start = taps.first[output] - 2 * first
            // Each weight makes up for the rounding of the one before, so that their sum stays whole.
            var rest: Float = 0
            for tap in 0..<taps.count[output] {
                let exact = taps.weights[output * taps.stride + tap] * whole + rest
                let step = FixedRows.nearest(exact)
                rest = exact - step
                weights[2 * output * pairs + start + tap] = Int16(step)
            }
        }
        let capacity = max(Self.gatheredPairs, 4 * pairs)
        gathered = .allocate(byteCount: (capacity * channels + 3) * 32, alignment: 32)
        self.taps = crows_taps(
            firsts: firsts, count: count, pairs: pairs, weights: UnsafeRawPointer(weights), channels: Int32(channels),
            shift: bits + (unit == 65_536 ? 7 : 6), capacity: capacity)
    }

    deinit {
        firsts.deallocate()
        weights.deallocate()
        gathered.deallocate()
    }

    /// Reduces rows, as many as ``rows``.
    ///
    /// - Parameters:
    ///   - sums: the rows, of ``FixedRows/rowBytes(samples:)``.
    ///   - out: room for as many rows of the output's samples.
    ///   - rowBytes: the bytes from one of those rows to the next.
    func reduce(_ sums: [UnsafePointer<Int16>?], into out: UnsafeMutablePointer<UInt8>, rowBytes: Int) {
        withUnsafePointer(to: taps) { crows_reduce($0, sums, gathered, out, rowBytes) }
    }
}

/// The weights of a batch's rows in ``FixedRows``' fixed point, of each output row under way.
final class FixedWeights {
    private let batch: Int
    private let unit: Float
    private let weights: UnsafeMutablePointer<Int16>
    /// The remainder that rounding has left of each output row's last weight.
    private let rests: UnsafeMutablePointer<Float>
    /// The batch's rows that an output row is made of.
    private let ranges: UnsafeMutablePointer<Range<Int>>

    /// - Parameters:
    ///   - batch: the rows of a batch.
    ///   - slots: the output rows under way at a time.
    ///   - unit: the number of steps in a whole weight.
    init(batch: Int, slots: Int, unit: Float) {
        self.batch = batch
        self.unit = unit
        weights = .allocate(capacity: batch * slots)
        weights.initialize(repeating: 0, count: batch * slots)
        rests = .allocate(capacity: slots)
        rests.initialize(repeating: 0, count: slots)
        ranges = .allocate(capacity: slots)
        ranges.initialize(repeating: 0..<0, count: slots)
    }

    deinit {
        weights.deallocate()
        rests.deallocate()
        ranges.deallocate()
    }

    /// Notes the weights of a batch's rows, and which of the rows they are for: from an even one on, and an even number.
    ///
    /// - Parameters:
    ///   - slot: the output row's place.
    ///   - index: the output row.
    ///   - rows: the batch's rows.
    ///   - isFresh: whether none has been added to the output row before.
    func put(_ slot: Int, of index: Int, in vertical: FilterTaps, rows: Range<Int>, isFresh: Bool) {
        let start = rows.lowerBound - vertical.first[index]
        let (low, high) = (max(0, -start), min(rows.count, vertical.count[index] - start))
        let place = weights + batch * slot
        place.update(repeating: 0, count: batch)
        ranges[slot] = low / 2 * 2..<max(low / 2 * 2, (high + 1) / 2 * 2)
        guard low < high else { return }
        // Each weight makes up for the rounding of the one before, so that their sum stays whole.
        var rest = isFresh ? 0 : rests[slot]
        vertical.weights.withUnsafeBufferPointer { weights in
            let first = index * vertical.stride + start
            for row in low..<high {
                let exact = weights[first + row] * unit + rest
                let step = FixedRows.nearest(exact)
                rest = exact - step
                place[row] = Int16(step)
            }
        }
        rests[slot] = rest
    }

    /// The batch's rows that were put last for an output row, and the first one's weight, which the others' follow.
    func of(_ slot: Int) -> (rows: Range<Int>, weights: UnsafePointer<Int16>) {
        (ranges[slot], UnsafePointer(weights + batch * slot + ranges[slot].lowerBound))
    }
}

import CJPEG

/// Weighted sums of rows of planes, all of which are as large: what ``Resampler`` does for rows of pixels.
///
/// Rows are read where they are, four at once, and added to the output rows that they belong to; a row of the output that has all of them is
/// then reduced along itself. Samples have 8 bits, and sums are in fixed point (``FixedRows``).
final class PlaneSums {
    private typealias Lane = FixedRows.Lane
    static let batch = 4
    /// Samples that are worked on together, so that four rows of them stay in the nearest cache.
    private static let stripSamples = 512

    /// The rows that there are weights for.
    private var rows: Range<Int> { vertical.range }
    private let horizontal: FilterTaps
    private let vertical: FilterTaps
    private let planes: Int
    private let unit: Float
    private let overlap: Int
    private let planeLanes: Int
    private let sums: UnsafeMutablePointer<Lane>
    private let weights: UnsafeMutablePointer<Lane>
    private let strip: UnsafeMutablePointer<Lane>
    /// The weights along a row, in fixed point: so many eights for each output.
    private let taps: UnsafeMutablePointer<Int16>
    private let tapStride: Int
    private static let wholeTap: Float = 32_768
    private let windows: UnsafeMutablePointer<cjpeg_window>
    /// The next row that is taken.
    private var next: Int
    private var nextOutput = 0

    /// - Parameters:
    ///   - planes: that rows have, 1 or 2.
    ///   - lead: four rows begin so many before each multiple of four.
    ///   - lag: rows that may be taken after those with which an output row could be finished, and before it is.
    init(planes: Int, horizontal: FilterTaps, vertical: FilterTaps, lead: Int, lag: Int) {
        self.planes = planes
        self.horizontal = horizontal
        self.vertical = vertical
        unit = max(FixedRows.unit(vertical.extremes), FixedRows.leastUnit)
        overlap = vertical.overlap(batch: Self.batch + lag)
        planeLanes = (horizontal.range.count + 7) / 8
        next = (vertical.range.lowerBound + lead) / Self.batch * Self.batch - lead
        // Behind a row's last sample another row's may be read, with no weight.
        let count = overlap * planes * planeLanes + 1
        sums = .allocate(capacity: count)
        sums.initialize(repeating: .zero, count: count)
        weights = .allocate(capacity: Self.batch * overlap)
        weights.initialize(repeating: .zero, count: Self.batch * overlap)
        strip = .allocate(capacity: Self.batch * Self.stripSamples / 8)
        strip.initialize(repeating: .zero, count: Self.batch * Self.stripSamples / 8)
        tapStride = (horizontal.stride + 7) / 8 * 8
        taps = .allocate(capacity: tapStride * horizontal.first.count)
        taps.initialize(repeating: 0, count: tapStride * horizontal.first.count)
        windows = .allocate(capacity: horizontal.first.count)
        for output in horizontal.first.indices {
            let count = horizontal.count[output]
            (windows + output).initialize(
                to: cjpeg_window(first: UInt32(horizontal.first[output]), count: UInt32(count)))
            for index in 0..<count {
                let tap = (horizontal.weights[output * horizontal.stride + index] * Self.wholeTap).rounded()
                taps[output * tapStride + index] = Int16(max(-32_767, min(32_767, tap)))
            }
        }
    }

    deinit {
        sums.deallocate()
        weights.deallocate()
        strip.deallocate()
        taps.deallocate()
        windows.deallocate()
    }

    /// Whether the rows taken are all that an output row needs, if those before `end` are.
    func isComplete(_ output: Int, before end: Int) -> Bool {
        rows.lowerBound + vertical.first[output] + vertical.count[output] <= end
    }

    /// Takes the rows before `end`, of those that there are weights for.
    ///
    /// - Parameter row: a plane's row, from the picture's first column on.
    @inline(__always)
    func take(before end: Int, row: (_ plane: Int, _ row: Int) -> UnsafePointer<UInt8>) {
        while next < min(end, rows.upperBound) {
            let (first, last) = (next, min(next + Self.batch, end, rows.upperBound) - 1)
            let outputs = weigh(last + 1 - first)
            for plane in 0..<planes {
                let four = (
                    row(plane, max(0, first)), row(plane, max(0, min(first + 1, last))),
                    row(plane, max(0, min(first + 2, last))), row(plane, last)
                )
                add(four, plane: plane, to: outputs)
            }
            next += Self.batch
        }
    }

    /// Notes the weights of the next rows in the output rows that have any, and gives these.
    private func weigh(_ count: Int) -> Range<Int> {
        let start = next - rows.lowerBound
        var end = nextOutput
        while end < vertical.first.count, vertical.first[end] < start + count {
            var four = SIMD4<Float>.zero
            for row in 0..<count {
                let offset = start + row - vertical.first[end]
                if offset >= 0, offset < vertical.count[end] {
                    four[row] = vertical.weights[end * vertical.stride + offset]
                }
            }
            FixedRows.put(four, unit: unit, to: weights + Self.batch * (end % overlap))
            end += 1
        }
        return nextOutput..<end
    }

    private typealias FourRows = (
        UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
    )

    private func add(_ rows: FourRows, plane: Int, to outputs: Range<Int>) {
        let lanes = Self.stripSamples / 8
        for start in stride(from: 0, to: horizontal.range.count, by: Self.stripSamples) {
            let count = min(Self.stripSamples, horizontal.range.count - start)
            let at = horizontal.range.lowerBound + start
            FixedRows.load(rows.0 + at, into: strip, count: count, isNegated: false)
            FixedRows.load(rows.1 + at, into: strip + lanes, count: count, isNegated: true)
            FixedRows.load(rows.2 + at, into: strip + 2 * lanes, count: count, isNegated: false)
            FixedRows.load(rows.3 + at, into: strip + 3 * lanes, count: count, isNegated: true)
            var index = outputs.lowerBound
            while index + 1 < outputs.upperBound {
                FixedRows.add(
                    strip, stride: lanes, count: (count + 7) / 8, to: target(index, plane) + start / 8,
                    target(index + 1, plane) + start / 8, weights: weights(index), weights(index + 1))
                index += 2
            }
            if index < outputs.upperBound {
                FixedRows.add(
                    strip, stride: lanes, count: (count + 7) / 8, to: target(index, plane) + start / 8,
                    weights: weights(index))
            }
        }
    }

    /// Writes the next row of the output, 0 to 255, each plane `stride` behind the one before.
    func finish(into out: UnsafeMutablePointer<Float>, stride: Int) {
        for plane in 0..<planes {
            let sums = target(nextOutput, plane)
            cjpeg_weigh(
                UnsafeRawPointer(sums).assumingMemoryBound(to: Int16.self), windows, taps, tapStride,
                FixedRows.step(unit) / Self.wholeTap, out + plane * stride, horizontal.first.count)
            sums.update(repeating: .zero, count: planeLanes)
        }
        nextOutput += 1
    }

    private func target(_ output: Int, _ plane: Int) -> UnsafeMutablePointer<Lane> {
        sums + (output % overlap * planes + plane) * planeLanes
    }

    private func weights(_ output: Int) -> UnsafeMutablePointer<Lane> { weights + Self.batch * (output % overlap) }
}

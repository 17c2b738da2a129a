import CRows

/// Reduces (or enlarges) a picture row by row: source rows go in from top to bottom, finished rows come out.
///
/// One separable filter. Each source row is added, weighted, to the output rows under way (about six, however
/// strong the reduction); a row that has all it needs is then reduced horizontally. Colour is weighted by alpha. So what
/// is held is six rows of sums as wide as the source, and never the picture. They are floats, which may be light instead of samples:
/// then each sample passes sRGB's curve on its way in, and back on its way out. Of samples of 8 bits without alpha they are in fixed
/// point (``FixedRows``).
final class Resampler {
    let output: PixelSize
    /// The source rows to be appended, from which the output is made.
    let rows: Range<Int>
    /// The source columns that the output is made of: others need not be there.
    var columns: Range<Int> { horizontal.range }
    private let format: PixelFormat
    private let isLinear: Bool
    /// Of sums in fixed point, what a whole weight is; 0 of floats.
    private let unit: Float
    private let horizontal: FilterTaps
    /// Those of ``horizontal``, for sums in fixed point; nil for floats.
    private let fixedTaps: FixedTaps?
    private let vertical: FilterTaps
    private let overlap: Int

    private typealias Lane = SIMD4<Float>
    /// Source rows that are added together, so that sums are read and written a quarter as often, or, in fixed point, an eighth.
    private let batch: Int
    /// Samples of a row that are worked on together, so that those of the batch stay in the nearest cache.
    private static let strip = 512
    private static let fixedStrip = 1_024
    private let sampleCount: Int
    private let rowBytes: Int
    /// Vectors per row of floats. A row ends with at least three vectors of zeros, which reads of four pixels may touch.
    private let rowVectors: Int
    /// Bytes per row of sums.
    private let sumBytes: Int
    /// The batch: its rows as they came, and one strip of it as floats; or its rows in fixed point.
    private let pendingRows: UnsafeMutablePointer<UInt8>
    private var pending = 0
    private let lines: UnsafeMutablePointer<Lane>
    private let steps: UnsafeMutablePointer<Int16>
    /// Samples from one row of ``steps`` to the next.
    private let stepStride: Int
    /// Of each output row under way: its sums, and its weights of the batch's rows.
    private let sums: UnsafeMutableRawPointer
    private let weights: UnsafeMutablePointer<SIMD4<Float>>
    private let fixedWeights: UnsafeMutablePointer<Int16>
    /// The remainder that rounding has left of each output row's last weight.
    private let fixedRests: UnsafeMutablePointer<Float>
    /// The batch's rows that an output row is made of.
    private let fixedRows: UnsafeMutablePointer<Range<Int>>
    /// Output rows that are made at a time.
    private let group: Int
    /// Room for those rows, and the bytes of each.
    private let finished: UnsafeMutablePointer<UInt8>
    private let finishedBytes: Int
    private var nextSource = 0
    /// The first output row that nothing has been added to.
    private var nextFresh = 0
    /// The first output row that lacks something.
    private var nextUnderWay = 0
    /// The first output row that has not been made: it may wait for the others of its group.
    private var nextOutput = 0

    init(horizontal: FilterTaps, vertical: FilterTaps, format: PixelFormat, linearLight: Bool) {
        output = PixelSize(width: horizontal.count.count, height: vertical.count.count)
        self.format = format
        isLinear = linearLight
        var horizontal = horizontal
        self.vertical = vertical
        rows = vertical.range
        let (across, down) = (horizontal.extremes, vertical.extremes)
        unit = linearLight || format.isDeep || format.hasAlpha ? 0 : FixedRows.unit(across: across, down: down)
        if unit > 0 {
            fixedTaps = FixedTaps(horizontal, unit: unit, across: across, down: down, channels: format.channels)
            // Their memory is for those.
            horizontal.weights = []
        } else {
            fixedTaps = nil
        }
        self.horizontal = horizontal
        group = fixedTaps == nil ? 1 : FixedTaps.rows
        // Of a small picture the last degraded image would lack too much.
        batch = fixedTaps == nil || output.height < 512 ? 4 : 8
        overlap = vertical.overlap(batch: batch) + group - 1
        rowVectors = Self.vectors(width: horizontal.range.count, format: format)
        sampleCount = horizontal.range.count * format.channels
        rowBytes = horizontal.range.count * format.bytesPerPixel
        sumBytes =
            unit > 0 ? FixedRows.rowBytes(samples: sampleCount) : rowVectors * 16
        stepStride = FixedRows.rowBytes(samples: sampleCount) / 2
        let (fixed, floats) = unit > 0 ? (batch, 0) : (0, batch)
        pendingRows = .allocate(capacity: floats * rowBytes)
        pendingRows.initialize(repeating: 0, count: floats * rowBytes)
        lines = .allocate(capacity: floats * Self.strip / 4)
        lines.initialize(repeating: .zero, count: floats * Self.strip / 4)
        steps = .allocate(capacity: fixed * stepStride)
        steps.initialize(repeating: 0, count: fixed * stepStride)
        weights = .allocate(capacity: overlap)
        weights.initialize(repeating: .zero, count: overlap)
        fixedWeights = .allocate(capacity: fixed * overlap)
        fixedWeights.initialize(repeating: 0, count: fixed * overlap)
        fixedRests = .allocate(capacity: overlap)
        fixedRests.initialize(repeating: 0, count: overlap)
        fixedRows = .allocate(capacity: overlap)
        fixedRows.initialize(repeating: 0..<0, count: overlap)
        sums = .allocate(byteCount: sumBytes * overlap, alignment: 16)
        // In fixed point all but what is read beyond a row is written before it is read.
        let unset = unit > 0 ? (sampleCount + 15) / 16 * 32 : 0
        for row in 0..<overlap {
            (sums + row * sumBytes + unset).initializeMemory(as: UInt8.self, repeating: 0, count: sumBytes - unset)
        }
        finishedBytes = output.width * format.bytesPerPixel
        finished = .allocate(capacity: group * finishedBytes)
        finished.initialize(repeating: 0, count: group * finishedBytes)
    }

    deinit {
        pendingRows.deallocate()
        lines.deallocate()
        steps.deallocate()
        weights.deallocate()
        fixedWeights.deallocate()
        fixedRests.deallocate()
        fixedRows.deallocate()
        sums.deallocate()
        finished.deallocate()
    }

    /// Takes the next row of `rows`. Rows beyond are ignored.
    func append(_ row: UnsafePointer<UInt8>) {
        guard nextSource < rows.count else { return }
        let shown = row + horizontal.range.lowerBound * format.bytesPerPixel
        if unit > 0 {
            crows_load(shown, steps + pending * stepStride, sampleCount, pending % 2 == 1 ? 1 : 0)
        } else {
            (pendingRows + pending * rowBytes).update(from: shown, count: rowBytes)
        }
        pending += 1
        nextSource += 1
        guard pending == batch || nextSource == rows.count else { return }
        accumulate()
        pending = 0
        while nextUnderWay < output.height, isComplete(nextUnderWay, with: nextSource) { nextUnderWay += 1 }
    }

    /// The output rows that are made, or can be: with ``nextRows(all:)`` those too that wait for their group.
    var rowsReady: Int { nextUnderWay }

    /// How many output rows are made next, with `all` of a group too that could be larger later; 0 when source rows are lacking.
    func nextRows(all: Bool = false) -> Int {
        let waiting = nextUnderWay - nextOutput
        return waiting >= group || all || nextUnderWay == output.height ? min(group, waiting) : 0
    }

    /// Makes so many of the next output rows, which may be a whole group or what ``nextRows(all:)`` said.
    func make(_ count: Int, into place: UnsafeMutablePointer<UInt8>) {
        let isGroup = count == group
        finish(count, into: isGroup ? place : finished)
        if !isGroup { place.update(from: finished, count: count * finishedBytes) }
        // In fixed point the first batch takes the place of what is there.
        for row in nextOutput..<nextOutput + count where unit == 0 {
            target(row).initializeMemory(as: UInt8.self, repeating: 0, count: sumBytes)
        }
        nextOutput += count
    }

    /// Calls `emit` with each output row that can be made, until that gives `false`: a small picture that is enlarged has many of them after
    /// one row.
    ///
    /// - Returns: whether `emit` has always given `true`; if not, nothing more may be appended.
    func makeRows(all: Bool = false, _ emit: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        while case let count = nextRows(all: all), count > 0 {
            make(count, into: finished)
            for row in 0..<count where !emit(finished + row * finishedBytes) { return false }
        }
        return true
    }

    /// Whether an output row has all that it needs when so many source rows have come.
    private func isComplete(_ index: Int, with count: Int) -> Bool {
        vertical.first[index] + vertical.count[index] <= count
    }

    /// How many rows can come out for so many that have gone in.
    func rowsMade(of count: Int) -> Int {
        let used = count >= rows.count ? rows.count : max(0, count) / batch * batch
        return (0..<output.height).first { !isComplete($0, with: used) } ?? output.height
    }

    /// Reduces the rows of sums of the next outputs, in fixed point of a whole group.
    private func finish(_ count: Int, into place: UnsafeMutablePointer<UInt8>) {
        if let fixedTaps {
            // Where there are fewer, the last one stands in.
            let sums = (0..<group).map { target(nextOutput + min($0, count - 1)).assumingMemoryBound(to: Int16.self) }
            fixedTaps.reduce(sums.map { UnsafePointer($0) }, into: place, rowBytes: finishedBytes)
        } else if isLinear {
            RowFilter.reduceLight(
                target(nextOutput), into: place, taps: horizontal, width: output.width, format: format)
        } else {
            RowFilter.reduce(target(nextOutput), into: place, taps: horizontal, width: output.width, format: format)
        }
    }

    /// Adds the batch to the output rows that it belongs to.
    private func accumulate() {
        var end = nextUnderWay
        while end < output.height, vertical.first[end] < nextSource {
            if unit > 0 { putFixedWeights(end) } else { weights[end % overlap] = batchWeights(end) }
            end += 1
        }
        let strip = unit > 0 ? Self.fixedStrip : Self.strip
        for start in stride(from: 0, to: sampleCount, by: strip) {
            let count = min(strip, sampleCount - start)
            if unit > 0 { addFixed(start, count, until: end) } else { addFloats(start, count, until: end) }
        }
        nextFresh = end
    }

    /// Adds a strip of the batch to the output rows before `end`.
    private func addFixed(_ start: Int, _ count: Int, until end: Int) {
        // Counted along, as a division takes as long as some of the adding.
        var slot = nextUnderWay % overlap
        for index in nextUnderWay..<end {
            let rows = fixedRows[slot]
            crows_add(
                steps + rows.lowerBound * stepStride + start, stepStride, count,
                crows_sums(
                    samples: (sums + slot * sumBytes).assumingMemoryBound(to: Int16.self) + start,
                    weights: fixedWeights + batch * slot + rows.lowerBound,
                    rows: Int32(rows.count), is_fresh: index >= nextFresh ? 1 : 0))
            slot = slot + 1 == overlap ? 0 : slot + 1
        }
    }

    private func addFloats(_ start: Int, _ count: Int, until end: Int) {
        let lanes = Self.strip / 4
        for row in 0..<pending {
            let floats = UnsafeMutableRawPointer(lines + row * lanes).assumingMemoryBound(to: Float.self)
            let samples = pendingRows + row * rowBytes + start * (format.isDeep ? 2 : 1)
            if isLinear {
                RowFilter.loadLight(samples, into: floats, count: count, format: format)
            } else {
                RowFilter.load(samples, into: floats, count: count, format: format)
            }
        }
        func sums(_ index: Int) -> UnsafeMutablePointer<Lane> {
            target(index).assumingMemoryBound(to: Lane.self) + start / 4
        }
        let strip = RowFilter.Rows(first: lines, stride: lanes, count: (count + 3) / 4)
        var index = nextUnderWay
        while index + 1 < end {
            RowFilter.add(
                strip, to: sums(index), sums(index + 1), weights: weights[index % overlap],
                weights[(index + 1) % overlap])
            index += 2
        }
        if index < end { RowFilter.add(strip, to: sums(index), weights: weights[index % overlap]) }
    }

    private func target(_ index: Int) -> UnsafeMutableRawPointer { sums + (index % overlap) * sumBytes }

    /// Weights of the pending rows: zero where an output does not have the row, and where there is none any more.
    private func batchWeights(_ index: Int) -> SIMD4<Float> {
        let start = nextSource - pending - vertical.first[index]
        var weights = SIMD4<Float>.zero
        for row in 0..<pending {
            let offset = start + row
            guard offset >= 0, offset < vertical.count[index] else { continue }
            weights[row] = vertical.weights[index * vertical.stride + offset]
        }
        return weights
    }

    /// Notes the weights of the batch's rows in fixed point, and which of the rows they are for: from an even one on, and an even number.
    private func putFixedWeights(_ index: Int) {
        let start = nextSource - pending - vertical.first[index]
        let (low, high) = (max(0, -start), min(pending, vertical.count[index] - start))
        let slot = index % overlap
        let place = fixedWeights + batch * slot
        place.update(repeating: 0, count: batch)
        fixedRows[slot] = low / 2 * 2..<max(low / 2 * 2, (high + 1) / 2 * 2)
        guard low < high else { return }
        // Each weight makes up for the rounding of the one before, so that their sum stays whole.
        var rest = index < nextFresh ? fixedRests[slot] : 0
        vertical.weights.withUnsafeBufferPointer { weights in
            let first = index * vertical.stride + start
            for row in low..<high {
                let exact = weights[first + row] * unit + rest
                let step = FixedRows.nearest(exact)
                rest = exact - step
                place[row] = Int16(step)
            }
        }
        fixedRests[slot] = rest
    }
}

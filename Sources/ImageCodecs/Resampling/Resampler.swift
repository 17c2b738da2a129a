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
    /// Samples from one row of a strip in fixed point to the next.
    private static let fixedStride = fixedStrip + 32
    private let sampleCount: Int
    /// The bytes of what is shown of a row.
    private let shownBytes: Int
    /// Vectors per row of floats. A row ends with at least three vectors of zeros, which reads of four pixels may touch.
    private let rowVectors: Int
    /// Bytes per row of sums.
    private let sumBytes: Int
    /// Rows that wait for the others of their batch.
    private let pendingRows: UnsafeMutablePointer<UInt8>
    private var pending = 0
    /// One strip of a batch as floats, or in fixed point.
    private let lines: UnsafeMutablePointer<Lane>
    private let steps: UnsafeMutablePointer<Int16>
    /// Of each output row under way: its sums, and its weights of the batch's rows.
    private let sums: UnsafeMutableRawPointer
    private let weights: UnsafeMutablePointer<SIMD4<Float>>
    private let fixedWeights: FixedWeights
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
        shownBytes = horizontal.range.count * format.bytesPerPixel
        sumBytes =
            unit > 0 ? FixedRows.rowBytes(samples: sampleCount) : rowVectors * 16
        let (fixed, floats) = unit > 0 ? (batch, 0) : (0, batch)
        pendingRows = .allocate(capacity: batch * shownBytes)
        pendingRows.initialize(repeating: 0, count: batch * shownBytes)
        lines = .allocate(capacity: floats * Self.strip / 4)
        lines.initialize(repeating: .zero, count: floats * Self.strip / 4)
        steps = .allocate(capacity: fixed * Self.fixedStride)
        steps.initialize(repeating: 0, count: fixed * Self.fixedStride)
        weights = .allocate(capacity: overlap)
        weights.initialize(repeating: .zero, count: overlap)
        fixedWeights = FixedWeights(batch: fixed, slots: overlap, unit: unit)
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
        sums.deallocate()
        finished.deallocate()
    }

    /// Takes the next row of `rows`. Rows beyond are ignored.
    func append(_ row: UnsafePointer<UInt8>) { _ = append(row, rowBytes: 0, count: 1) }

    /// Takes the next rows of `rows`, no more than until output rows can be made: a whole batch is read where it lies, others are copied.
    ///
    /// - Parameter rowBytes: the bytes from one row to the next.
    /// - Returns: how many were taken, or passed over as they lie beyond `rows`.
    func append(_ source: UnsafePointer<UInt8>, rowBytes: Int, count: Int) -> Int {
        guard nextSource < rows.count else { return count }
        let first = source + horizontal.range.lowerBound * format.bytesPerPixel
        let taken = min(count, batch - pending, rows.count - nextSource)
        nextSource += taken
        if taken == batch {
            accumulate(Batch(first: first, rowBytes: rowBytes, rows: nextSource - taken..<nextSource))
            return taken
        }
        for row in 0..<taken {
            (pendingRows + (pending + row) * shownBytes).update(from: first + row * rowBytes, count: shownBytes)
        }
        pending += taken
        guard pending == batch || nextSource == rows.count else { return taken }
        accumulate(Batch(first: pendingRows, rowBytes: shownBytes, rows: nextSource - pending..<nextSource))
        pending = 0
        return taken
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

    /// Rows that are added together, from the first shown sample of each.
    private struct Batch {
        var first: UnsafePointer<UInt8>
        var rowBytes: Int
        var rows: Range<Int>
    }

    /// Adds a batch to the output rows that it belongs to.
    private func accumulate(_ batch: Batch) {
        var end = nextUnderWay
        while end < output.height, vertical.first[end] < nextSource {
            let slot = end % overlap
            if unit > 0 {
                fixedWeights.put(slot, of: end, in: vertical, rows: batch.rows, isFresh: end >= nextFresh)
            } else {
                weights[slot] = batchWeights(end, of: batch.rows)
            }
            end += 1
        }
        let strip = unit > 0 ? Self.fixedStrip : Self.strip
        for start in stride(from: 0, to: sampleCount, by: strip) {
            let count = min(strip, sampleCount - start)
            if unit > 0 {
                addFixed(batch, start, count, until: end)
            } else {
                addFloats(batch, start, count, until: end)
            }
        }
        nextFresh = end
        while nextUnderWay < output.height, isComplete(nextUnderWay, with: nextSource) { nextUnderWay += 1 }
    }

    /// Adds a strip of a batch to the output rows before `end`.
    private func addFixed(_ batch: Batch, _ start: Int, _ count: Int, until end: Int) {
        crows_load(batch.first + start, batch.rowBytes, batch.rows.count, steps, Self.fixedStride, count)
        // Counted along, as a division takes as long as some of the adding.
        var slot = nextUnderWay % overlap
        for index in nextUnderWay..<end {
            let (rows, weights) = fixedWeights.of(slot)
            crows_add(
                steps + rows.lowerBound * Self.fixedStride, Self.fixedStride, count,
                (sums + slot * sumBytes).assumingMemoryBound(to: Int16.self) + start, weights, rows.count,
                index >= nextFresh ? 1 : 0)
            slot = slot + 1 == overlap ? 0 : slot + 1
        }
    }

    private func addFloats(_ batch: Batch, _ start: Int, _ count: Int, until end: Int) {
        let lanes = Self.strip / 4
        for row in 0..<batch.rows.count {
            let floats = UnsafeMutableRawPointer(lines + row * lanes).assumingMemoryBound(to: Float.self)
            let samples = batch.first + row * batch.rowBytes + start * (format.isDeep ? 2 : 1)
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

    /// Weights of a batch's rows: zero where an output does not have the row, and where there is none any more.
    private func batchWeights(_ index: Int, of rows: Range<Int>) -> SIMD4<Float> {
        let start = rows.lowerBound - vertical.first[index]
        var weights = SIMD4<Float>.zero
        for row in 0..<rows.count {
            let offset = start + row
            guard offset >= 0, offset < vertical.count[index] else { continue }
            weights[row] = vertical.weights[index * vertical.stride + offset]
        }
        return weights
    }
}

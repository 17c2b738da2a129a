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
    /// Source rows that are added together, so that sums are read and written a quarter as often.
    private static let batch = 4
    /// Samples of a row that are worked on together, so that those of the batch stay in the nearest cache.
    private static let strip = 512
    private let sampleCount: Int
    private let rowBytes: Int
    /// Vectors per row of floats. A row ends with at least three vectors of zeros, which reads of four pixels may touch.
    private let rowVectors: Int
    /// Bytes per row of sums.
    private let sumBytes: Int
    /// The batch: its rows as they came, and one strip of it as floats or in fixed point.
    private let pendingRows: UnsafeMutablePointer<UInt8>
    private var pending = 0
    private let lines: UnsafeMutablePointer<Lane>
    /// Of each output row under way: its sums, and its weights of the batch's rows.
    private let sums: UnsafeMutableRawPointer
    private let weights: UnsafeMutablePointer<SIMD4<Float>>
    private let fixedWeights: UnsafeMutablePointer<FixedRows.Lane>
    private let finished: UnsafeMutablePointer<UInt8>
    private var nextSource = 0
    private var nextOutput = 0

    init(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter,
        averaged: Int = 1, linearLight: Bool = false
    ) {
        self.output = output
        self.format = format
        isLinear = linearLight
        var horizontal = FilterTaps(
            source: source.width, start: region.x, extent: region.width, output: output.width, filter: filter,
            averaged: averaged)
        vertical = FilterTaps(
            source: source.height, start: region.y, extent: region.height, output: output.height, filter: filter,
            averaged: averaged)
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
        overlap = vertical.overlap(batch: Self.batch)
        rowVectors = Self.vectors(width: horizontal.range.count, format: format)
        sampleCount = horizontal.range.count * format.channels
        rowBytes = horizontal.range.count * format.bytesPerPixel
        sumBytes =
            unit > 0
            ? ((sampleCount + 7) / 8 + FixedTaps.margin) * MemoryLayout<FixedRows.Lane>.stride : rowVectors * 16
        pendingRows = .allocate(capacity: Self.batch * rowBytes)
        pendingRows.initialize(repeating: 0, count: Self.batch * rowBytes)
        lines = .allocate(capacity: Self.batch * Self.strip / 4)
        lines.initialize(repeating: .zero, count: Self.batch * Self.strip / 4)
        weights = .allocate(capacity: overlap)
        weights.initialize(repeating: .zero, count: overlap)
        fixedWeights = .allocate(capacity: unit > 0 ? Self.batch * overlap : 0)
        fixedWeights.initialize(repeating: .zero, count: unit > 0 ? Self.batch * overlap : 0)
        sums = .allocate(byteCount: sumBytes * overlap, alignment: 16)
        sums.initializeMemory(as: UInt8.self, repeating: 0, count: sumBytes * overlap)
        finished = .allocate(capacity: output.width * format.bytesPerPixel + 1)
        finished.initialize(repeating: 0, count: output.width * format.bytesPerPixel + 1)
    }

    deinit {
        pendingRows.deallocate()
        lines.deallocate()
        weights.deallocate()
        fixedWeights.deallocate()
        sums.deallocate()
        finished.deallocate()
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<Lane>.stride
        let enlarging = max(1, Double(output.height) / region.height)
        let rows = row * (Int(11 * enlarging) + 1) + batch * strip * MemoryLayout<Float>.stride
        let horizontal = FilterTaps.stride(
            source: source.width, extent: region.width, output: output.width, filter: filter)
        let vertical = FilterTaps.stride(
            source: source.height, extent: region.height, output: output.height, filter: filter)
        return rows + (2 * horizontal * output.width + vertical * output.height) * MemoryLayout<Float>.stride
    }

    private static func vectors(width: Int, format: PixelFormat) -> Int {
        (width * format.channels + 3) / 4 + 3
    }

    /// Takes the next row of `rows`, and calls `emit` with each output row that it completes, until that gives `false`: a
    /// small picture that is enlarged has many of them in a row. Rows beyond are ignored.
    ///
    /// - Returns: whether `emit` has always given `true`; if not, nothing more may be appended.
    @discardableResult
    func append(_ row: UnsafePointer<UInt8>, emit: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        guard nextSource < rows.count else { return true }
        (pendingRows + pending * rowBytes).update(
            from: row + horizontal.range.lowerBound * format.bytesPerPixel, count: rowBytes)
        pending += 1
        nextSource += 1
        guard pending == Self.batch || nextSource == rows.count else { return true }
        accumulate()
        pending = 0
        while nextOutput < output.height, vertical.first[nextOutput] + vertical.count[nextOutput] <= nextSource {
            finish(target(nextOutput))
            guard emit(finished) else { return false }
            target(nextOutput).initializeMemory(as: UInt8.self, repeating: 0, count: sumBytes)
            nextOutput += 1
        }
        return true
    }

    /// How many rows come out for so many that have gone in.
    func rowsMade(of count: Int) -> Int {
        let used = count >= rows.count ? rows.count : max(0, count) / Self.batch * Self.batch
        return (0..<output.height).first { vertical.first[$0] + vertical.count[$0] > used } ?? output.height
    }

    /// Reduces a row of sums.
    private func finish(_ sums: UnsafeMutableRawPointer) {
        if let fixedTaps {
            fixedTaps.reduce(sums, into: finished)
        } else if isLinear {
            RowFilter.reduceLight(sums, into: finished, taps: horizontal, width: output.width, format: format)
        } else {
            RowFilter.reduce(sums, into: finished, taps: horizontal, width: output.width, format: format)
        }
    }

    /// Adds the batch to the output rows that it belongs to.
    private func accumulate() {
        var end = nextOutput
        while end < output.height, vertical.first[end] < nextSource {
            let place = end % overlap
            weights[place] = batchWeights(end)
            if unit > 0 { FixedRows.put(weights[place], unit: unit, to: fixedWeights + Self.batch * place) }
            end += 1
        }
        for start in stride(from: 0, to: sampleCount, by: Self.strip) {
            let count = min(Self.strip, sampleCount - start)
            if unit > 0 { addFixed(start, count, until: end) } else { addFloats(start, count, until: end) }
        }
    }

    /// Adds a strip of the batch to the output rows before `end`.
    private func addFixed(_ start: Int, _ count: Int, until end: Int) {
        let strip = UnsafeMutableRawPointer(lines).assumingMemoryBound(to: FixedRows.Lane.self)
        let lanes = Self.strip / 8
        for row in 0..<pending {
            FixedRows.load(
                pendingRows + row * rowBytes + start, into: strip + row * lanes, count: count, isNegated: row % 2 == 1)
        }
        func sums(_ index: Int) -> UnsafeMutablePointer<FixedRows.Lane> {
            target(index).assumingMemoryBound(to: FixedRows.Lane.self) + start / 8
        }
        func weights(_ index: Int) -> UnsafeMutablePointer<FixedRows.Lane> {
            fixedWeights + Self.batch * (index % overlap)
        }
        var index = nextOutput
        while index + 1 < end {
            FixedRows.add(
                strip, stride: lanes, count: (count + 7) / 8, to: sums(index), sums(index + 1), weights: weights(index),
                weights(index + 1))
            index += 2
        }
        if index < end {
            FixedRows.add(strip, stride: lanes, count: (count + 7) / 8, to: sums(index), weights: weights(index))
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
        var index = nextOutput
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
}

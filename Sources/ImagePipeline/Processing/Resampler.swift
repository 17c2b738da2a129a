/// Reduces (or enlarges) a picture row by row: source rows go in from top to bottom, finished rows come out.
///
/// One separable filter. Each source row is added, weighted, to the output rows under way (about six, however
/// strong the reduction); a row that has all it needs is then reduced horizontally. Colour is weighted by alpha. So what
/// is held is six rows of floats as wide as the source, and never the picture. The floats may be light instead of samples: then each
/// sample passes sRGB's curve on its way in, and back on its way out.
final class Resampler {
    let output: PixelSize
    /// The source rows to be appended, from which the output is made.
    let rows: Range<Int>
    /// The source columns that the output is made of: others need not be there.
    var columns: Range<Int> { horizontal.range }
    private let format: PixelFormat
    private let isLinear: Bool
    /// Whether of four rows only their sum and slope are weighted.
    private let usesMoments: Bool
    private let horizontal: FilterTaps
    private let vertical: FilterTaps
    private let overlap: Int

    private typealias Lane = SIMD4<Float>
    /// Source rows that are added together, so that sums are read and written a quarter as often.
    private static let batch = 4
    /// Vectors of a row that are worked on together, so that the batch's floats stay in the nearest cache.
    private static let strip = 128
    private let sampleCount: Int
    private let rowBytes: Int
    /// Vectors per row of sums. A row ends with at least one vector of zeros, which four-sample reads may touch.
    private let rowVectors: Int
    /// The batch: its rows as they came, and one strip of it as floats.
    private let pendingRows: UnsafeMutablePointer<UInt8>
    private var pending = 0
    private let lines: UnsafeMutablePointer<Lane>
    /// Of each output row under way: its sums, and its weights of the batch's rows.
    private let sums: UnsafeMutablePointer<Lane>
    private let weights: UnsafeMutablePointer<SIMD4<Float>>
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
        usesMoments =
            filter.isSmooth && !linearLight && !format.isDeep && !format.hasAlpha
            && region.height >= RowMoments.leastRatio * Double(output.height)
        horizontal = FilterTaps(
            source: source.width, start: region.x, extent: region.width, output: output.width, filter: filter,
            averaged: averaged)
        vertical = FilterTaps(
            source: source.height, start: region.y, extent: region.height, output: output.height, filter: filter,
            averaged: averaged)
        rows = vertical.range
        overlap = vertical.overlap(batch: Self.batch)
        rowVectors = Self.vectors(width: horizontal.range.count, format: format)
        sampleCount = horizontal.range.count * format.channels
        rowBytes = horizontal.range.count * format.bytesPerPixel
        pendingRows = .allocate(capacity: Self.batch * rowBytes)
        pendingRows.initialize(repeating: 0, count: Self.batch * rowBytes)
        lines = .allocate(capacity: Self.batch * Self.strip)
        lines.initialize(repeating: .zero, count: Self.batch * Self.strip)
        weights = .allocate(capacity: overlap)
        weights.initialize(repeating: .zero, count: overlap)
        sums = .allocate(capacity: rowVectors * overlap)
        sums.initialize(repeating: .zero, count: rowVectors * overlap)
        finished = .allocate(capacity: output.width * format.bytesPerPixel)
        finished.initialize(repeating: 0, count: output.width * format.bytesPerPixel)
    }

    deinit {
        pendingRows.deallocate()
        lines.deallocate()
        weights.deallocate()
        sums.deallocate()
        finished.deallocate()
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<Lane>.stride
        let enlarging = max(1, Double(output.height) / region.height)
        let rows = row * (Int(11 * enlarging) + 1) + batch * strip * MemoryLayout<Lane>.stride
        let horizontal = FilterTaps.stride(
            source: source.width, extent: region.width, output: output.width, filter: filter)
        let vertical = FilterTaps.stride(
            source: source.height, extent: region.height, output: output.height, filter: filter)
        return rows + (horizontal * output.width + vertical * output.height) * MemoryLayout<Float>.stride
    }

    private static func vectors(width: Int, format: PixelFormat) -> Int {
        (width * format.channels + 3) / 4 + 2
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
            let sum = target(nextOutput)
            let line = UnsafeRawPointer(sum)
            if isLinear {
                RowFilter.reduceLight(line, into: finished, taps: horizontal, width: output.width, format: format)
            } else {
                RowFilter.reduce(line, into: finished, taps: horizontal, width: output.width, format: format)
            }
            guard emit(finished) else { return false }
            sum.update(repeating: .zero, count: rowVectors)
            nextOutput += 1
        }
        return true
    }

    /// How many rows come out for so many that have gone in.
    func rowsMade(of count: Int) -> Int {
        let used = count >= rows.count ? rows.count : max(0, count) / Self.batch * Self.batch
        return (0..<output.height).first { vertical.first[$0] + vertical.count[$0] > used } ?? output.height
    }

    private func accumulate() {
        let isWhole = usesMoments && pending == Self.batch
        var end = nextOutput
        while end < output.height, vertical.first[end] < nextSource {
            let rows = batchWeights(end)
            weights[end % overlap] = isWhole ? RowMoments.weights(rows) : rows
            end += 1
        }
        if isWhole { addMoments(until: end) } else { addRows(until: end) }
    }

    /// Adds the batch to the output rows before `end`.
    private func addMoments(until end: Int) {
        let slopes = lines + Self.strip
        for start in stride(from: 0, to: (sampleCount + 3) / 4, by: Self.strip) {
            let count = min(4 * Self.strip, sampleCount - 4 * start)
            RowMoments.load(pendingRows + 4 * start, stride: rowBytes, sums: lines, slopes: slopes, count: count)
            var index = nextOutput
            while index + 1 < end {
                RowMoments.add(
                    lines, slopes, count: (count + 3) / 4, to: target(index) + start, target(index + 1) + start,
                    weights: weights[index % overlap], weights[(index + 1) % overlap])
                index += 2
            }
            if index < end {
                RowMoments.add(
                    lines, slopes, count: (count + 3) / 4, to: target(index) + start,
                    weights: weights[index % overlap])
            }
        }
    }

    /// The same row by row.
    private func addRows(until end: Int) {
        for start in stride(from: 0, to: (sampleCount + 3) / 4, by: Self.strip) {
            let count = min(4 * Self.strip, sampleCount - 4 * start)
            for row in 0..<pending {
                let floats = UnsafeMutableRawPointer(lines + row * Self.strip).assumingMemoryBound(to: Float.self)
                let samples = pendingRows + row * rowBytes + 4 * start * (format.isDeep ? 2 : 1)
                if isLinear {
                    RowFilter.loadLight(samples, into: floats, count: count, format: format)
                } else {
                    RowFilter.load(samples, into: floats, count: count, format: format)
                }
            }
            let strip = RowFilter.Rows(first: lines, stride: Self.strip, count: (count + 3) / 4)
            var index = nextOutput
            while index + 1 < end {
                RowFilter.add(
                    strip, to: target(index) + start, target(index + 1) + start,
                    weights: weights[index % overlap], weights[(index + 1) % overlap])
                index += 2
            }
            if index < end {
                RowFilter.add(strip, to: target(index) + start, weights: weights[index % overlap])
            }
        }
    }

    private func target(_ index: Int) -> UnsafeMutablePointer<Lane> {
        sums + (index % overlap) * rowVectors
    }

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

/// Reduces (or enlarges) a picture row by row: source rows go in from top to bottom, finished rows come out.
///
/// One separable filter. Each source row is added, weighted, to the output rows under way (about six, however
/// strong the reduction); a row that has all it needs is then reduced horizontally. Colour is weighted by alpha. So what
/// is held is six rows of floats as wide as the source, and never the picture.
final class Resampler {
    let output: PixelSize
    /// The source rows to be appended, from which the output is made.
    let rows: Range<Int>
    private let format: PixelFormat
    private let horizontal: FilterTaps
    private let vertical: FilterTaps
    private let overlap: Int

    private typealias Lane = SIMD8<Float>
    /// Vectors per row of floats. A row ends with at least one vector of zeros, which four-sample reads may touch.
    private let rowVectors: Int
    /// Two source rows: they are added together, so that sums are read and written half as often.
    private let lines: UnsafeMutablePointer<Lane>
    private var pending = 0
    private let sums: UnsafeMutablePointer<Lane>
    private let finished: UnsafeMutablePointer<UInt8>
    private var nextSource = 0
    private var nextOutput = 0

    init(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter,
        averaged: Int = 1
    ) {
        self.output = output
        self.format = format
        horizontal = FilterTaps(
            source: source.width, start: region.x, extent: region.width, output: output.width, filter: filter,
            averaged: averaged)
        vertical = FilterTaps(
            source: source.height, start: region.y, extent: region.height, output: output.height, filter: filter,
            averaged: averaged)
        rows = vertical.range
        overlap = vertical.overlap
        rowVectors = Self.vectors(width: horizontal.range.count, format: format)
        lines = .allocate(capacity: 2 * rowVectors)
        lines.initialize(repeating: .zero, count: 2 * rowVectors)
        sums = .allocate(capacity: rowVectors * overlap)
        sums.initialize(repeating: .zero, count: rowVectors * overlap)
        finished = .allocate(capacity: output.width * format.channels)
        finished.initialize(repeating: 0, count: output.width * format.channels)
    }

    deinit {
        lines.deallocate()
        sums.deallocate()
        finished.deallocate()
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<Lane>.stride
        let enlarging = max(1, Double(output.height) / region.height)
        let rows = row * (Int(8 * enlarging) + 4)
        let horizontal = FilterTaps.stride(
            source: source.width, extent: region.width, output: output.width, filter: filter)
        let vertical = FilterTaps.stride(
            source: source.height, extent: region.height, output: output.height, filter: filter)
        return rows + (horizontal * output.width + vertical * output.height) * MemoryLayout<Float>.stride
    }

    private static func vectors(width: Int, format: PixelFormat) -> Int {
        (width * format.channels + 7) / 8 + 2
    }

    /// Takes the next row of `rows`, and calls `emit` with each output row that it completes. Rows beyond are ignored.
    func append(_ row: UnsafePointer<UInt8>, emit: (UnsafePointer<UInt8>) -> Void) {
        guard nextSource < rows.count else { return }
        RowFilter.load(
            row + horizontal.range.lowerBound * format.channels,
            into: UnsafeMutableRawPointer(lines + pending * rowVectors), width: horizontal.range.count, format: format)
        pending += 1
        nextSource += 1
        guard pending == 2 || nextSource == rows.count else { return }
        accumulate()
        pending = 0
        while nextOutput < output.height, vertical.first[nextOutput] + vertical.count[nextOutput] <= nextSource {
            let sum = target(nextOutput)
            RowFilter.reduce(
                UnsafeRawPointer(sum), into: finished, taps: horizontal, width: output.width, format: format)
            emit(finished)
            sum.update(repeating: .zero, count: rowVectors)
            nextOutput += 1
        }
    }

    private func accumulate() {
        var index = nextOutput
        while index < output.height, vertical.first[index] < nextSource {
            if index + 1 < output.height, vertical.first[index + 1] < nextSource {
                RowFilter.add(
                    lines, lines + rowVectors, count: rowVectors - 1, to: target(index), target(index + 1),
                    weights: weights(index), weights(index + 1))
                index += 2
            } else {
                RowFilter.add(
                    lines, lines + rowVectors, count: rowVectors - 1, to: target(index), weights: weights(index))
                index += 1
            }
        }
    }

    private func target(_ index: Int) -> UnsafeMutablePointer<Lane> {
        sums + (index % overlap) * rowVectors
    }

    /// Weights of the pending rows, zero where an output does not have the row.
    private func weights(_ index: Int) -> (Float, Float) {
        func weight(_ row: Int) -> Float {
            let offset = row - vertical.first[index]
            guard offset >= 0, offset < vertical.count[index] else { return 0 }
            return vertical.weights[index * vertical.stride + offset]
        }
        let start = nextSource - pending
        return (weight(start), pending == 2 ? weight(start + 1) : 0)
    }
}

/// Reduces (or enlarges) a picture row by row: source rows go in from top to bottom, finished rows come out.
///
/// One separable Lanczos filter. Each source row is added, weighted, to the output rows under way (about six, however
/// strong the reduction); a row that has all it needs is then reduced horizontally. Colour is weighted by alpha. So what
/// is held is six rows of floats as wide as the source, and never the picture.
final class Resampler {
    let source: PixelSize
    let output: PixelSize
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
    private let rows: UnsafeMutablePointer<Lane>
    private let finished: UnsafeMutablePointer<UInt8>
    private var nextSource = 0
    private var nextOutput = 0

    init(
        source: PixelSize, extent: (width: Double, height: Double), output: PixelSize, format: PixelFormat,
        averaged: Int = 1
    ) {
        self.source = source
        self.output = output
        self.format = format
        horizontal = FilterTaps(source: source.width, extent: extent.width, output: output.width, averaged: averaged)
        vertical = FilterTaps(
            source: source.height, extent: extent.height, output: output.height, averaged: averaged)
        overlap = vertical.overlap
        rowVectors = Self.vectors(width: source.width, format: format)
        lines = .allocate(capacity: 2 * rowVectors)
        lines.initialize(repeating: .zero, count: 2 * rowVectors)
        rows = .allocate(capacity: rowVectors * overlap)
        rows.initialize(repeating: .zero, count: rowVectors * overlap)
        finished = .allocate(capacity: output.width * format.channels)
        finished.initialize(repeating: 0, count: output.width * format.channels)
    }

    deinit {
        lines.deallocate()
        rows.deallocate()
        finished.deallocate()
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, extent: (width: Double, height: Double), output: PixelSize, format: PixelFormat
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<Lane>.stride
        let enlarging = max(1, Double(output.height) / extent.height)
        let rows = row * (Int(8 * enlarging) + 4)
        let horizontal = FilterTaps.stride(source: source.width, extent: extent.width, output: output.width)
        let vertical = FilterTaps.stride(source: source.height, extent: extent.height, output: output.height)
        return rows + (horizontal * output.width + vertical * output.height) * MemoryLayout<Float>.stride
    }

    private static func vectors(width: Int, format: PixelFormat) -> Int {
        (width * format.channels + 7) / 8 + 2
    }

    /// Takes the next source row, and calls `emit` with each output row that it completes. Rows beyond the last are ignored.
    func append(_ row: UnsafePointer<UInt8>, emit: (UnsafePointer<UInt8>) -> Void) {
        guard nextSource < source.height else { return }
        RowFilter.load(
            row, into: UnsafeMutableRawPointer(lines + pending * rowVectors), width: source.width, format: format)
        pending += 1
        nextSource += 1
        guard pending == 2 || nextSource == source.height else { return }
        accumulate()
        pending = 0
        while nextOutput < output.height, vertical.first[nextOutput] + vertical.count[nextOutput] <= nextSource {
            let sums = rows + (nextOutput % overlap) * rowVectors
            RowFilter.reduce(
                UnsafeRawPointer(sums), into: finished, taps: horizontal, width: output.width, format: format)
            emit(finished)
            sums.update(repeating: .zero, count: rowVectors)
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
        rows + (index % overlap) * rowVectors
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

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
    private let line: UnsafeMutablePointer<Lane>
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
        line = .allocate(capacity: rowVectors)
        line.initialize(repeating: .zero, count: rowVectors)
        rows = .allocate(capacity: rowVectors * overlap)
        rows.initialize(repeating: .zero, count: rowVectors * overlap)
        finished = .allocate(capacity: output.width * format.channels)
        finished.initialize(repeating: 0, count: output.width * format.channels)
    }

    deinit {
        line.deallocate()
        rows.deallocate()
        finished.deallocate()
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, extent: (width: Double, height: Double), output: PixelSize, format: PixelFormat
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<Lane>.stride
        let enlarging = max(1, Double(output.height) / extent.height)
        let rows = row * (Int(7 * enlarging) + 2)
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
        RowFilter.load(row, into: UnsafeMutableRawPointer(line), width: source.width, format: format)
        accumulate()
        while nextOutput < output.height, vertical.first[nextOutput] + vertical.count[nextOutput] == nextSource + 1 {
            let sums = rows + (nextOutput % overlap) * rowVectors
            RowFilter.reduce(
                UnsafeRawPointer(sums), into: finished, taps: horizontal, width: output.width, format: format)
            emit(finished)
            sums.update(repeating: .zero, count: rowVectors)
            nextOutput += 1
        }
        nextSource += 1
    }

    private func accumulate() {
        var index = nextOutput
        while index < output.height, vertical.first[index] <= nextSource {
            if index + 2 < output.height, vertical.first[index + 2] <= nextSource {
                RowFilter.add(
                    line, count: rowVectors - 1, to: target(index), target(index + 1), target(index + 2),
                    weights: (weight(index), weight(index + 1), weight(index + 2)))
                index += 3
            } else {
                RowFilter.add(line, count: rowVectors - 1, to: target(index), weight: weight(index))
                index += 1
            }
        }
    }

    private func target(_ index: Int) -> UnsafeMutablePointer<Lane> {
        rows + (index % overlap) * rowVectors
    }

    private func weight(_ index: Int) -> Float {
        vertical.weights[index * vertical.stride + nextSource - vertical.first[index]]
    }
}

import CJPEG

/// Reduces a picture in luma and two colours, whose components come as they are stored, to rows of RGB.
///
/// Each component is reduced by itself, colour by weights that enlarge it as well (``FilterTaps/init(_:on:)``), and only the output is
/// converted to RGB. As all of that is linear, the output is that of the enlarged and converted picture, but for what conversion cuts
/// off: ``ClippedRows`` does so beforehand.
final class PlanarResampler {
    let output: PixelSize
    /// The luma rows, and columns, that the output is made of.
    let rows: Range<Int>
    let columns: Range<Int>
    /// The rows of luma that must have come for the last row of the output.
    let rowsNeeded: Int
    private let layout: SampleLayout
    private let luma: PlaneSums
    private let colour: PlaneSums
    private let clipped: ClippedRows
    /// Eight rows are clipped at once, and begin so many before each multiple of eight: those that come last in a band wait for colour.
    private let lead: Int
    /// The next row of luma that is clipped.
    private var next: Int
    private var nextOutput = 0
    private let floats: UnsafeMutablePointer<Float>
    private let floatStride: Int
    private let finished: UnsafeMutablePointer<UInt8>

    init(plan: Reduction.Plan, layout: SampleLayout) {
        self.layout = layout
        output = plan.output
        let region = plan.region
        let across = FilterTaps(
            source: plan.source.width, start: region.x, extent: region.width, output: output.width,
            filter: plan.filter, averaged: plan.averaged)
        let down = FilterTaps(
            source: plan.source.height, start: region.y, extent: region.height, output: output.height,
            filter: plan.filter, averaged: plan.averaged)
        rows = down.range
        columns = across.range
        // Colour of the last row is interpolated from another one.
        rowsNeeded = min(plan.source.height, rows.upperBound + 2)
        lead = layout.down == 2 ? 2 : 0
        luma = PlaneSums(planes: 1, horizontal: across, vertical: down, lead: lead, lag: ClippedRows.count)
        colour = PlaneSums(
            planes: 2, horizontal: FilterTaps(across, on: layout.enlargedAcross),
            vertical: FilterTaps(down, on: layout.enlargedDown), lead: lead / 2, lag: ClippedRows.count)
        clipped = ClippedRows(layout: layout, columns: columns)
        // From the row of colour above on.
        next = max(0, rows.lowerBound / ClippedRows.count * ClippedRows.count - lead)
        floatStride = (output.width + 3) / 4 * 4
        floats = .allocate(capacity: 3 * floatStride)
        floats.initialize(repeating: 0, count: 3 * floatStride)
        finished = .allocate(capacity: 3 * floatStride + 1)
        finished.initialize(repeating: 0, count: 3 * floatStride + 1)
    }

    deinit {
        floats.deallocate()
        finished.deallocate()
    }

    /// Takes what has come, and calls `emit` with each output row that it completes, until that gives `false`.
    func append(_ bands: SampleBands, emit: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        let end = clippable(bands.lumaRows)
        while next < end {
            let rows = next..<min((next + lead) / ClippedRows.count * ClippedRows.count + ClippedRows.count - lead, end)
            take(rows, from: bands)
            next = rows.upperBound
            while nextOutput < output.height, isComplete(nextOutput, next) {
                finish()
                guard emit(finished) else { return false }
            }
        }
        return true
    }

    private func take(_ rows: Range<Int>, from bands: SampleBands) {
        clipped.fetch(rows, from: bands)
        let first = rows.lowerBound
        luma.take(before: rows.upperBound) { _, row in clipped.luma(row - first) }
        colour.take(before: colourRows(rows.upperBound)) { plane, row in
            clipped.colour(plane, row - first / layout.down)
        }
    }

    /// The rows that can be clipped if so many of luma have come.
    private func clippable(_ rows: Int) -> Int {
        guard rows < rowsNeeded else { return rowsNeeded }
        return max(0, rows / ClippedRows.count * ClippedRows.count - lead)
    }

    /// The rows of colour that so many of luma bring.
    private func colourRows(_ rows: Int) -> Int {
        min((rows + layout.down - 1) / layout.down, layout.colour.size.height)
    }

    private func isComplete(_ output: Int, _ rows: Int) -> Bool {
        rows >= rowsNeeded
            || luma.isComplete(output, before: rows) && colour.isComplete(output, before: colourRows(rows))
    }

    /// How many rows come out for so many of luma that have gone in.
    func rowsMade(of count: Int) -> Int {
        // Those that wait for colour are not counted in `count`.
        let rows = clippable(count >= rowsNeeded ? count : max(0, count + 2) / layout.luma.rows * layout.luma.rows)
        return (0..<output.height).first { !isComplete($0, rows) } ?? output.height
    }

    private func finish() {
        luma.finish(into: floats, stride: floatStride)
        colour.finish(into: floats + floatStride, stride: floatStride)
        cjpeg_convert(floats, floats + floatStride, floats + 2 * floatStride, finished, output.width)
        nextOutput += 1
    }
}

import CJPEG

/// Moves components as they are stored from libjpeg into a ``Reduction``, a row of MCUs at a time.
final class JPEGSamples: JPEGSource {
    private let bands: SampleBands

    init(layout: SampleLayout) { bands = SampleBands(layout: layout) }

    /// Beside the part decoded there are no neighbours to interpolate colour from: that reaches two pixels.
    private static let margin = 8

    /// Has libjpeg leave out rows and columns that nobody looks at; see ``JPEGRows``.
    func crop(to reduction: Reduction, of handle: borrowing JPEGHandle) {
        let width = bands.layout.luma.size.width
        let (low, high) = (
            max(0, reduction.columns.lowerBound - Self.margin), min(width, reduction.columns.upperBound + Self.margin)
        )
        if high - low < width - width / 8, let first = handle.cropSamples(columns: low..<high) {
            bands.firstColumn = first
        }
        handle.crop(above: max(0, reduction.firstRow - Self.margin))
    }

    func pull(from handle: borrowing JPEGHandle, into reduction: Reduction, watch: DecodeWatch) -> JPEGOutcome {
        while !reduction.isComplete {
            guard watch.goesOn() else { return .stopped }
            guard bands.lumaRows < bands.layout.luma.size.height else { return .failed }
            let status = handle.readSamples(bands.next)
            if status == CJPEG_NEEDS_BYTES { return .needsBytes }
            guard status == CJPEG_OK else { return .failed }
            bands.append()
            guard reduction.append(bands, goesOn: watch.goesOn) else { return .stopped }
        }
        return .complete
    }
}

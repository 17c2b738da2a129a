import CJPEG

/// Moves rows from libjpeg into a ``Reduction``, a few at a time.
final class JPEGRows {
    /// The end of a call to ``pull(from:into:watch:)``.
    enum Outcome {
        case complete
        case needsBytes
        case failed
        /// The watch said so.
        case stopped
    }

    /// The rows that a ``Resampler`` adds together: it reads those where they lie, and copies fewer.
    private static let batch = 8
    private let stride: Int
    private let width: Int
    /// Where what libjpeg decodes of a row belongs.
    private var columns: Range<Int>
    private let pixels: cjpeg_pixels
    private let lines: UnsafeMutablePointer<UInt8>

    init(plan: JPEGPlan) {
        width = plan.reduction.source.width
        columns = 0..<width
        pixels = plan.pixels
        stride = width * Int(plan.pixels.rawValue)
        lines = .allocate(capacity: stride * Self.batch)
        lines.initialize(repeating: 0, count: stride * Self.batch)
    }

    deinit { lines.deallocate() }

    /// Beside the part decoded there are no neighbours to interpolate colour from: that reaches two pixels, four at most.
    private static let margin = 8

    /// Has libjpeg leave out rows above those that somebody looks at: their inverse transforms and colours, and the values of their
    /// AC coefficients. Not of a file that is arithmetic-coded.
    ///
    /// - Parameter first: the first row that must be what it is in the whole picture.
    func crop(above first: Int, of handle: borrowing JPEGHandle) {
        handle.crop(above: max(0, first - Self.margin))
    }

    /// Has libjpeg leave out columns that nobody looks at: their inverse transforms and colours, and of a file that is not
    /// arithmetic-coded the values of their AC coefficients too.
    ///
    /// - Parameter wanted: the columns that must be what they are in whole rows.
    func crop(to wanted: Range<Int>, of handle: borrowing JPEGHandle) {
        let (low, high) = (max(0, wanted.lowerBound - Self.margin), min(width, wanted.upperBound + Self.margin))
        // Little less is not worth it.
        guard high - low < width - width / 8 else { return }
        if let cropped = handle.crop(columns: low..<high) { columns = cropped.clamped(to: 0..<width) }
    }

    func pull(from handle: borrowing JPEGHandle, into reduction: Reduction, watch: DecodeWatch) -> Outcome {
        let firstRow = reduction.firstRow
        while !reduction.isComplete {
            guard watch.goesOn() else { return .stopped }
            // Batches begin with the first row that is looked at, also after the few that input has sufficed for.
            let ahead = (firstRow - reduction.rowsTaken) % Self.batch
            let batch = ahead > 0 ? ahead : Self.batch + ahead
            // No more than is needed: what is wrong below that is nobody's business.
            var count = min(batch, reduction.rowsNeeded - reduction.rowsTaken)
            let first = lines + columns.lowerBound * Int(pixels.rawValue)
            let status = handle.readRows(first, stride: stride, &count)
            if pixels == CJPEG_PIXELS_CMYK {
                for index in 0..<count { Self.convertCMYK(lines + index * stride, columns) }
            }
            guard reduction.append(lines, rowBytes: stride, count: count, goesOn: watch.goesOn) else { return .stopped }
            if status == CJPEG_NEEDS_BYTES { return .needsBytes }
            guard status == CJPEG_OK else { return .failed }
            // libjpeg has no more rows than its header says; fewer would otherwise be asked for without end.
            if count == 0, !reduction.isComplete { return .failed }
        }
        return .complete
    }

    /// CMYK to RGB in place, as paper would multiply the inks. No profile is applied.
    ///
    /// 255 is no ink, as in Photoshop's files. Others have come to be written so too, without the marker by which libjpeg's
    /// manual tells them: Pillow, ImageMagick and the browsers take all of them for such.
    private static func convertCMYK(_ line: UnsafeMutablePointer<UInt8>, _ columns: Range<Int>) {
        for x in columns {
            let ink = line + 4 &* x
            let black = Int(ink[3])
            let red = (Int(ink[0]) &* black &+ 127) / 255
            let green = (Int(ink[1]) &* black &+ 127) / 255
            let blue = (Int(ink[2]) &* black &+ 127) / 255
            line[3 &* x] = UInt8(truncatingIfNeeded: red)
            line[3 &* x &+ 1] = UInt8(truncatingIfNeeded: green)
            line[3 &* x &+ 2] = UInt8(truncatingIfNeeded: blue)
        }
    }
}

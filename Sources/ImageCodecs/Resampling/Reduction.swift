/// From decoded rows to the image asked for: cut out, resampled if sizes differ, upright.
final class Reduction {
    /// What a reduction is to do; known once a file's header has been read.
    struct Plan {
        /// Rows as decoded.
        var source: PixelSize
        /// What of `source` is shown. Even all of a picture may be less than it: a scaled decode rounds up.
        var region: Region
        /// The final picture before it is turned.
        var output: PixelSize
        var format: PixelFormat
        var orientation: Orientation
        var iccProfile: [UInt8]?
        var metadata: ImageMetadata
        var filter = ResamplingFilter.lanczos3
        var linearLight = false
        /// Pixels each way that a sample of `source` is the plain mean of.
        var averaged = 1

        /// Whether pixels stay what they are: all of them, or a part.
        var isIdentity: Bool {
            region.width == Double(output.width) && region.height == Double(output.height)
                && region.x == region.x.rounded() && region.y == region.y.rounded()
        }

        /// Whether all pixels stay where they are.
        var isWhole: Bool { isIdentity && source == output }

        /// Whether a copy of the image takes long, beside what it takes to make it: more than two megapixels, little reduced.
        var isCostlyToCopy: Bool {
            let pixels = output.width * output.height
            return pixels > 1 << 21 && 4 * pixels > source.width * source.height
        }

        /// Bytes held beside the image.
        var workingBytes: Int {
            isIdentity
                ? 0
                : Resampler.workingBytes(source: source, region: region, output: output, format: format, filter: filter)
        }
    }

    let plan: Plan
    /// How many rows there must be. All of them, unless the part that is shown ends well above the last: a file that lacks
    /// what is shown is never complete.
    let rowsNeeded: Int
    private let resampler: Resampler?
    private var canvas: UprightCanvas
    private(set) var rowsTaken = 0
    private var isLaid = false

    init(plan: Plan) {
        self.plan = plan
        resampler =
            plan.isIdentity
            ? nil
            : Resampler(
                source: plan.source, region: plan.region, output: plan.output, format: plan.format,
                filter: plan.filter, averaged: plan.averaged, linearLight: plan.linearLight)
        canvas = UprightCanvas(stored: plan.output, format: plan.format, orientation: plan.orientation)
        let end = plan.region.y + plan.region.height
        if end > Double(plan.source.height - 1) {
            rowsNeeded = plan.source.height
        } else {
            rowsNeeded = resampler?.rows.upperBound ?? Int(end)
        }
    }

    /// The first row that is looked at.
    var firstRow: Int { resampler?.rows.lowerBound ?? Int(plan.region.y) }

    /// The columns of a row that are looked at.
    var columns: Range<Int> {
        if let resampler { return resampler.columns }
        return Int(plan.region.x)..<Int(plan.region.x) + plan.output.width
    }

    /// Takes the next decoded row. Rows that are not needed cost nothing.
    ///
    /// - Parameter goesOn: asked after each row of the output.
    /// - Returns: whether all that the row gives has been made; if not, nothing more may be appended.
    @discardableResult
    func append(_ row: UnsafePointer<UInt8>, goesOn: () -> Bool = { true }) -> Bool {
        defer { rowsTaken += 1 }
        if let resampler {
            guard resampler.rows.contains(rowsTaken) else { return true }
            return resampler.append(row) {
                canvas.append($0)
                return goesOn()
            }
        } else if rowsTaken >= Int(plan.region.y) {
            canvas.append(row + Int(plan.region.x) * plan.format.bytesPerPixel)
        }
        return true
    }

    var isComplete: Bool { rowsTaken >= rowsNeeded }

    /// How many rows of the output, before it is turned, are there.
    var rowsMade: Int { canvas.rowsWritten }

    /// How many of them so many rows give.
    func rowsMade(of rows: Int) -> Int {
        if let resampler { return resampler.rowsMade(of: rows - resampler.rows.lowerBound) }
        return max(0, min(rows - Int(plan.region.y), plan.output.height))
    }

    /// The image made of the rows taken, as far as they go. Where others are missing, it shows what was laid there, or, if all is
    /// opaque, fades out; else it is clear.
    func preview() -> Image {
        if !isLaid, fadesOut { canvas.fadeOut() }
        return image()
    }

    /// Whether missing rows are like those that are there: decided by the first of them, so that they stay what they are from one
    /// degraded image to the next.
    private(set) lazy var fadesOut = canvas.isOpaque

    /// Shows a smaller or larger picture of the same where rows are missing.
    ///
    /// - Parameter region: what of it is shown.
    /// - Returns: whether it is there; if not, `goesOn` has said so.
    func lay(_ picture: Image, region: Region, goesOn: () -> Bool) -> Bool {
        isLaid = true
        return canvas.lay(
            picture, region: region, filter: plan.filter, linearLight: plan.linearLight, goesOn: goesOn)
    }

    /// The image made of the rows taken.
    func image() -> Image { canvas.image(iccProfile: plan.iccProfile, metadata: plan.metadata) }
}

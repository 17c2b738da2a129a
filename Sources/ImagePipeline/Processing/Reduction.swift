/// From decoded rows to the image asked for: resampled if sizes differ, upright.
final class Reduction {
    /// What a reduction is to do; known once a file's header has been read.
    struct Plan {
        /// Rows as decoded.
        var source: PixelSize
        /// How much of `source` the picture covers; less than it where a scaled decode rounds up.
        var extent: (width: Double, height: Double)
        /// The final picture before it is turned.
        var output: PixelSize
        var format: PixelFormat
        var orientation: Orientation
        var iccProfile: [UInt8]?
        /// Pixels each way that a sample of `source` is the plain mean of.
        var averaged = 1

        var isIdentity: Bool {
            source == output && extent.width == Double(source.width) && extent.height == Double(source.height)
        }

        /// Bytes held beside the image.
        var workingBytes: Int {
            isIdentity
                ? 0 : Resampler.workingBytes(source: source, extent: extent, output: output, format: format)
        }
    }

    let plan: Plan
    private let resampler: Resampler?
    private var canvas: UprightCanvas
    private(set) var rowsTaken = 0

    init(plan: Plan) {
        self.plan = plan
        resampler =
            plan.isIdentity
            ? nil
            : Resampler(
                source: plan.source, extent: plan.extent, output: plan.output, format: plan.format,
                averaged: plan.averaged)
        canvas = UprightCanvas(stored: plan.output, format: plan.format, orientation: plan.orientation)
    }

    /// Takes the next decoded row.
    func append(_ row: UnsafePointer<UInt8>) {
        rowsTaken += 1
        if let resampler {
            resampler.append(row) { canvas.append($0) }
        } else {
            canvas.append(row)
        }
    }

    var isComplete: Bool { rowsTaken >= plan.source.height }

    /// The image made of the rows taken.
    func image() -> Image { canvas.image(iccProfile: plan.iccProfile) }
}

/// From decoded rows to the image asked for, and to further ones: cut out, resampled if sizes differ, upright.
///
/// A further one is made of the rows of a larger one where that leaves enough of them, and of the decoded ones where none does
/// (``Reduction/Plan/following(_:showing:reach:)``).
final class Reduction {
    /// The plan of a reduction, known once a file's header has been read.
    struct Plan {
        /// Rows as decoded.
        var source: PixelSize
        /// The part of `source` that is shown. Even all of a picture may be less than it: a scaled decode rounds up.
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
        /// Pictures made of the same rows; of their own `further` nothing is made.
        var further: [Plan] = []

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

        /// Bytes held beside the images; about, where one picture is made of another's rows.
        var workingBytes: Int {
            let own =
                isIdentity
                ? 0
                : Resampler.workingBytes(source: source, region: region, output: output, format: format, filter: filter)
            return further.reduce(own) { $0 + $1.workingBytes }
        }

        /// The plan of the picture made of another one's rows; nil where those would not do.
        ///
        /// - Parameters:
        ///   - shown: what the other one shows, in the rows that this one is planned for.
        ///   - reach: the pixels of the other one that there have to be, each way, for one of this.
        func following(_ other: Plan, showing shown: Region, reach: Double) -> Plan? {
            let (across, down) = (Double(other.output.width) / shown.width, Double(other.output.height) / shown.height)
            var plan = self
            plan.source = other.output
            plan.averaged = 1
            plan.region = Region(
                x: max(0, (region.x - shown.x) * across), y: max(0, (region.y - shown.y) * down),
                width: region.width * across, height: region.height * down)
            let slack = 1e-6
            guard region.x >= shown.x - slack, region.y >= shown.y - slack,
                region.x + region.width <= shown.x + shown.width + slack,
                region.y + region.height <= shown.y + shown.height + slack,
                plan.region.width >= reach * Double(output.width),
                plan.region.height >= reach * Double(output.height)
            else { return nil }
            plan.region.width = min(plan.region.width, Double(plan.source.width) - plan.region.x)
            plan.region.height = min(plan.region.height, Double(plan.source.height) - plan.region.y)
            return plan
        }
    }

    let plan: Plan
    /// How many rows there must be. All of them, unless the part that is shown ends well above the last: a file that lacks
    /// what is shown is never complete.
    private(set) var rowsNeeded: Int
    /// The part of the decoded rows that it shows.
    let shown: Region
    /// The reductions of the further pictures, in the plan's order.
    private(set) var further: [Reduction] = []
    /// Those of them that take the rows that this one takes.
    private var siblings: [Reduction] = []
    /// Those of them, or of its siblings', that take the rows that this one makes.
    private var followers: [Reduction] = []
    /// The rows made that the followers have taken.
    private var rowsHandedOver = 0
    /// The rows that they take at a time: what one of them works on then stays in the processor's cache, which has no room for that of all.
    private static let rowsAtOnce = 32
    private let resampler: Resampler?
    private var canvas: UprightCanvas
    private(set) var rowsTaken = 0
    private var isLaid = false

    /// - Parameter shown: what is shown of the decoded rows, where the plan is for those of another reduction.
    init(plan: Plan, shown: Region? = nil) {
        self.plan = plan
        self.shown = shown ?? plan.region
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
        if !plan.further.isEmpty { addFurther() }
    }

    /// For a pixel of a picture that is made of another's: of a photo at 1.4 it comes within 52 dB of what the decoded rows give, at 2 within
    /// 55; below, what the first filter has dulled shows. What is made of another picture already has lost once.
    private var reach: Double { isFollower ? 2 : 1.4 }
    private var isFollower = false

    /// The largest first, so that others can be made of it.
    private func addFurther() {
        var made: [Int: Reduction] = [:]
        for (index, plan) in plan.further.enumerated().sorted(by: { $0.element.outputBytes > $1.element.outputBytes }) {
            let sources = ([self] + made.values).sorted { $0.plan.outputBytes < $1.plan.outputBytes }
            let follower = sources.lazy.compactMap { source in
                plan.following(source.plan, showing: source.shown, reach: source.reach).map {
                    (source, Reduction(plan: $0, shown: plan.region))
                }
            }.first
            if let (source, reduction) = follower {
                reduction.isFollower = true
                source.followers.append(reduction)
                made[index] = reduction
            } else {
                let reduction = Reduction(plan: plan)
                siblings.append(reduction)
                made[index] = reduction
            }
        }
        further = made.sorted { $0.key < $1.key }.map(\.value)
        rowsNeeded = siblings.reduce(rowsNeeded) { max($0, $1.rowsNeeded) }
    }

    /// The first row that is looked at.
    var firstRow: Int {
        siblings.reduce(resampler?.rows.lowerBound ?? Int(plan.region.y)) { min($0, $1.firstRow) }
    }

    /// The columns of a row that are looked at.
    var columns: Range<Int> {
        let own = resampler?.columns ?? Int(plan.region.x)..<Int(plan.region.x) + plan.output.width
        return siblings.map(\.columns).reduce(own) {
            min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
        }
    }

    /// Takes the next decoded row. Rows that are not needed cost nothing.
    ///
    /// - Parameter goesOn: asked after each row of the output.
    /// - Returns: whether all that the row gives has been made; if not, nothing more may be appended.
    @discardableResult
    func append(_ row: UnsafePointer<UInt8>, goesOn: () -> Bool = { true }) -> Bool {
        defer { rowsTaken += 1 }
        if let resampler {
            if resampler.rows.contains(rowsTaken) {
                guard resampler.append(row, emit: { put($0, goesOn) && goesOn() }) else { return false }
            }
        } else if rowsTaken >= Int(plan.region.y) {
            guard put(row + Int(plan.region.x) * plan.format.bytesPerPixel, goesOn) else { return false }
        }
        return siblings.allSatisfy { $0.append(row, goesOn: goesOn) }
    }

    private func put(_ row: UnsafePointer<UInt8>, _ goesOn: () -> Bool) -> Bool {
        let isShown = canvas.rowsWritten < plan.output.height
        canvas.append(row)
        if followers.isEmpty || !isShown { return true }
        // Of a picture that is turned no row lies in one piece.
        guard plan.orientation == .up else { return followers.allSatisfy { $0.append(row, goesOn: goesOn) } }
        let made = canvas.rowsWritten
        guard made - rowsHandedOver == Self.rowsAtOnce || made == plan.output.height else { return true }
        return handOver(goesOn)
    }

    private func handOver(_ goesOn: () -> Bool) -> Bool {
        let made = canvas.rowsWritten
        defer { rowsHandedOver = made }
        let rowBytes = plan.output.width * plan.format.bytesPerPixel
        return canvas.bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return true }
            return followers.allSatisfy { follower in
                (rowsHandedOver..<made).allSatisfy { follower.append(first + $0 * rowBytes, goesOn: goesOn) }
            }
        }
    }

    var isComplete: Bool { rowsTaken >= rowsNeeded }

    /// How many rows of the output, before it is turned, are there, or will be in the next image.
    var rowsMade: Int { resampler?.rowsReady ?? canvas.rowsWritten }

    /// Makes all rows that those taken suffice for: some wait for others, as they are made several at a time.
    private func catchUp() {
        _ = resampler?.finishRows { put($0, { true }) }
        if plan.orientation == .up, !followers.isEmpty { _ = handOver { true } }
        for other in siblings + followers { other.catchUp() }
    }

    /// How many of them so many rows give.
    func rowsMade(of rows: Int) -> Int {
        if let resampler { return resampler.rowsMade(of: rows - resampler.rows.lowerBound) }
        return max(0, min(rows - Int(plan.region.y), plan.output.height))
    }

    /// The image made of the rows taken, as far as they go. Where others are missing, it shows what was laid there, or, if all is
    /// opaque, fades out; else it is clear.
    func preview() -> Image {
        catchUp()
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

    /// The image made of the rows taken, and the further ones.
    var images: [Image] { [image()] + furtherImages }

    /// The further images; those that are made of this one's rows may wait for some of them.
    var furtherImages: [Image] {
        catchUp()
        return further.map { $0.image() }
    }

    /// The picture as far as the rows go; see ``preview()``.
    var previews: [Image] { [preview()] + further.map { $0.preview() } }

    /// The image made of the rows taken.
    func image() -> Image {
        catchUp()
        canvas.clearRest()
        return canvas.image(iccProfile: plan.iccProfile, metadata: plan.metadata)
    }
}

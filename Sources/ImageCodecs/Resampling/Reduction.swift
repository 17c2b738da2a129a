/// From decoded rows to the image asked for, and to further ones: cut out, resampled if sizes differ, upright.
///
/// Where its plan allows it, a further one is made of the rows of a larger one that has enough of them
/// (``Reduction/Plan/following(_:showing:reach:)``). Of a photo nothing is lost by that; of text, hatching or a saturated pattern much is, as
/// the larger one's filter has dulled what stands next to each other, and cut off what overshoots. So strips are made both ways
/// (``DerivationCheck``), and where they show a difference there are no further pictures.
final class Reduction {
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
    /// The check of what is made of this one's rows.
    private var check: DerivationCheck?
    /// The check that this one's rows are compared by.
    private var comparison: DerivationCheck?
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

    // MARK: Further pictures

    /// An estimate of what a picture has lost as others stand between it and the decoded rows: 1 for the first one made of another that is
    /// larger by 1.4. A larger step loses less, and less of what was lost before shows after it.
    ///
    /// Of a photo the picture keeps 55 dB at 1, 54 at 2 and 53 at 3.
    private var loss = 0.0
    private static let allowedLoss = 3.5
    /// The reduction of decoded rows that it is made of, where it is not one itself.
    private weak var root: Reduction?

    /// The largest first, so that others can be made of it.
    private func addFurther() {
        var made: [(index: Int, reduction: Reduction)] = []
        let largestFirst = plan.further.enumerated().sorted {
            ($1.element.outputBytes, $0.offset) < ($0.element.outputBytes, $1.offset)
        }
        for (index, plan) in largestFirst {
            let derived = self.plan.derivesFurther ? derived(plan, from: [self] + made.map(\.reduction)) : nil
            let reduction = derived ?? Reduction(plan: plan)
            if derived == nil { siblings.append(reduction) }
            made.append((index, reduction))
        }
        for root in [self] + siblings {
            let derived = made.filter { $0.reduction.root === root }
            guard let worst = derived.max(by: { $0.reduction.loss < $1.reduction.loss }) else { continue }
            let check = DerivationCheck(of: plan.further[worst.index])
            (root.check, worst.reduction.comparison) = (check, check)
            root.rowsNeeded = max(root.rowsNeeded, check.rows.upperBound)
        }
        further = made.sorted { $0.index < $1.index }.map(\.reduction)
        rowsNeeded = siblings.reduce(rowsNeeded) { max($0, $1.rowsNeeded) }
    }

    /// A reduction of the smallest picture that is larger by 2 or, where that has more than a quarter of a megapixel, by 1.4: of small ones
    /// little is saved by the smaller step. Nil if none is.
    private func derived(_ plan: Plan, from sources: [Reduction]) -> Reduction? {
        let sources = sources.sorted { $0.plan.outputBytes < $1.plan.outputBytes }
        func candidate(_ reach: Double) -> (source: Reduction, plan: Plan, loss: Double)? {
            for source in sources {
                guard let own = plan.following(source.plan, showing: source.shown, reach: reach) else { continue }
                let step = min(own.step.across, own.step.down)
                let loss = (source.loss + 1) * min(1, 4 / (step * step * step * step))
                if loss < Self.allowedLoss { return (source, own, loss) }
            }
            return nil
        }
        let twice = candidate(2)
        let isSmall = twice.map { $0.source.plan.output.width * $0.source.plan.output.height <= 1 << 18 } ?? false
        guard let choice = isSmall ? twice : candidate(1.4) else { return nil }
        let reduction = Reduction(plan: choice.plan, shown: plan.region)
        (reduction.loss, reduction.root) = (choice.loss, choice.source.root ?? choice.source)
        choice.source.followers.append(reduction)
        return reduction
    }

    /// Whether pictures made of others are not what they would be if made of the decoded rows.
    private var derivesBadly: Bool { check?.hasFailed == true || siblings.contains { $0.derivesBadly } }

    /// The first row that is looked at.
    var firstRow: Int {
        let own = min(resampler?.rows.lowerBound ?? Int(plan.region.y), check?.rows.lowerBound ?? .max)
        return siblings.reduce(own) { min($0, $1.firstRow) }
    }

    /// The columns of a row that are looked at.
    var columns: Range<Int> {
        let own = resampler?.columns ?? Int(plan.region.x)..<Int(plan.region.x) + plan.output.width
        return (siblings.map(\.columns) + [check?.columns ?? own]).reduce(own) {
            min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
        }
    }

    /// Takes the next decoded rows. Those that are not needed cost nothing.
    ///
    /// - Parameters:
    ///   - rows: the first row. What several are together is read where it lies: one at a time is copied.
    ///   - rowBytes: the bytes from one row to the next.
    ///   - goesOn: asked after each row of the output.
    /// - Returns: whether all that the rows give has been made; if not, nothing more may be appended.
    @discardableResult
    func append(
        _ rows: UnsafePointer<UInt8>, rowBytes: Int = 0, count: Int = 1, goesOn: () -> Bool = { true }
    ) -> Bool {
        defer { rowsTaken += count }
        check?.append(rows, rowBytes: rowBytes, count: count)
        let first = resampler?.rows.lowerBound ?? Int(plan.region.y)
        var next = max(0, first - rowsTaken)
        while next < count {
            let row = rows + next * rowBytes
            if let resampler {
                next += resampler.append(row, rowBytes: rowBytes, count: count - next)
                guard putRows(of: resampler, goesOn) else { return false }
            } else {
                guard put(row + Int(plan.region.x) * plan.format.bytesPerPixel, goesOn) else { return false }
                next += 1
            }
        }
        return siblings.allSatisfy { $0.append(rows, rowBytes: rowBytes, count: count, goesOn: goesOn) }
    }

    /// Puts what can be made where it belongs, straight if it lies there in one piece.
    private func putRows(of resampler: Resampler, all: Bool = false, _ goesOn: () -> Bool) -> Bool {
        while case let count = resampler.nextRows(all: all), count > 0 {
            let first = canvas.rowsWritten
            if canvas.append(rows: count, made: { resampler.make(count, into: $0) }) {
                if let comparison {
                    withRows(from: first) { rows, rowBytes in
                        for row in 0..<count { comparison.compare(rows + row * rowBytes, first + row) }
                    }
                }
                guard handOver(goesOn), (0..<count).allSatisfy({ _ in goesOn() }) else { return false }
            } else {
                guard resampler.makeRows(all: all, { put($0, goesOn) && goesOn() }) else { return false }
            }
        }
        return true
    }

    private func put(_ row: UnsafePointer<UInt8>, _ goesOn: () -> Bool) -> Bool {
        let isShown = canvas.rowsWritten < plan.output.height
        comparison?.compare(row, canvas.rowsWritten)
        canvas.append(row)
        // Of a picture that is turned no row lies in one piece.
        if plan.orientation == .up { return handOver(goesOn) }
        if followers.isEmpty || !isShown || derivesBadly { return true }
        return followers.allSatisfy { $0.append(row, goesOn: goesOn) }
    }

    /// - Parameter all: Fewer rows too than are worth it.
    private func handOver(all: Bool = false, _ goesOn: () -> Bool) -> Bool {
        let made = canvas.rowsWritten
        let isDue = all || made - rowsHandedOver >= Self.rowsAtOnce || made == plan.output.height
        guard isDue, made > rowsHandedOver, !followers.isEmpty, !derivesBadly else { return true }
        defer { rowsHandedOver = made }
        return withRows(from: rowsHandedOver) { rows, rowBytes in
            followers.allSatisfy {
                $0.append(rows, rowBytes: rowBytes, count: made - rowsHandedOver, goesOn: goesOn)
            }
        } ?? true
    }

    /// The rows made, of a picture that is not turned: the first one asked for, and the bytes from one to the next.
    private func withRows<Result>(from first: Int, _ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        let rowBytes = plan.output.width * plan.format.bytesPerPixel
        return canvas.bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { body($0 + first * rowBytes, rowBytes) }
        }
    }

    var isComplete: Bool { rowsTaken >= rowsNeeded }

    /// How many rows of the output, before it is turned, are there, or will be in the next image.
    var rowsMade: Int { resampler?.rowsReady ?? canvas.rowsWritten }

    /// Makes all rows that those taken suffice for: some wait for others, as they are made several at a time.
    private func catchUp() {
        // The strips are there before what is compared with them.
        check?.catchUp()
        for other in siblings { other.catchUp() }
        if let resampler { _ = putRows(of: resampler, all: true) { true } }
        if plan.orientation == .up { _ = handOver(all: true) { true } }
        for other in followers { other.catchUp() }
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
    private(set) lazy var fadesOut = {
        catchUp()
        return canvas.isOpaque
    }()

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

    /// The further images; those that are made of this one's rows may wait for some of them. None where those are not as good as if made of
    /// the decoded ones.
    var furtherImages: [Image] {
        catchUp()
        return derivesBadly ? [] : further.map { $0.image() }
    }

    /// The picture and the further ones as far as their rows go, each with a quality of its own; see ``preview()``. Nil for one of which there
    /// is nothing to show: another may have had its first rows long before.
    ///
    /// - Parameter share: what is there of each without its rows.
    func previews(beside share: Double = 0) -> [(image: Image, quality: Double)?] {
        let preview = degraded(beside: share)
        return derivesBadly ? [preview] : [preview] + further.map { $0.degraded(beside: share) }
    }

    private func degraded(beside share: Double) -> (image: Image, quality: Double)? {
        catchUp()
        guard isLaid || canvas.rowsWritten > 0 else { return nil }
        let rows = Double(rowsMade) / Double(plan.output.height)
        // One of quality 1 was whole a moment ago, and may be out of date. This one may be whole before another is.
        return (preview(), min(0.999, rows + (1 - rows) * share))
    }

    /// The image made of the rows taken.
    func image() -> Image {
        catchUp()
        canvas.clearRest()
        return canvas.image(iccProfile: plan.iccProfile, metadata: plan.metadata)
    }
}

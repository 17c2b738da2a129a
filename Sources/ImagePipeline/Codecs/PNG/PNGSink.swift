import CPNG

/// Where a PNG's rows go: into the reduction as they come, or, interlaced, into an array of the whole picture.
final class PNGSink {
    private let plan: Reduction.Plan
    private let reduction: Reduction?
    private var array: [UInt8]
    private let rowBytes: Int
    private(set) var rowsTaken = 0
    /// Adam7 passes of which every row has come.
    private(set) var completePasses = 0

    init(plan: Reduction.Plan, isInterlaced: Bool) {
        self.plan = plan
        rowBytes = plan.source.width * plan.format.channels
        reduction = isInterlaced ? nil : Reduction(plan: plan)
        array = isInterlaced ? [UInt8](repeating: 0, count: rowBytes * plan.source.height) : []
    }

    /// Whether rows below the part that is shown need not be there.
    var leavesRowsOut: Bool { reduction.map { $0.rowsNeeded < plan.source.height } ?? false }

    var isComplete: Bool { reduction?.isComplete ?? (completePasses == 7) }

    func take(_ row: UnsafePointer<UInt8>?, y: Int, pass: Int, _ decoder: OpaquePointer) {
        guard y >= 0, y < plan.source.height else { return }
        if let reduction {
            guard let row else { return }
            reduction.append(row)
            rowsTaken = reduction.rowsTaken
            return
        }
        if let row {
            array.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                cpng_combine_row(decoder, base + y * rowBytes, row)
            }
        }
        rowsTaken = y + 1
        // libpng calls for every row of every pass, except in passes that are empty because the picture is narrow:
        // those count as complete with the next.
        completePasses = y == plan.source.height - 1 ? pass + 1 : max(pass, completePasses)
    }

    /// The final image; `nil` when cancelled.
    func image(isCancelled: () -> Bool) -> Image? {
        guard reduction == nil else { return reduction?.image() }
        guard !plan.isWhole || plan.orientation != .up else {
            return Image(unpadded: array, size: plan.source, format: plan.format, iccProfile: plan.iccProfile)
        }
        return preview(isCancelled: isCancelled)
    }

    /// The picture as the passes so far show it, in blocks; `nil` when cancelled or not interlaced.
    func preview(isCancelled: () -> Bool) -> Image? {
        guard reduction == nil else { return nil }
        let reduction = Reduction(plan: plan)
        for y in 0..<plan.source.height {
            if isCancelled() { return nil }
            array.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                reduction.append(base + y * rowBytes)
            }
        }
        return reduction.image()
    }
}

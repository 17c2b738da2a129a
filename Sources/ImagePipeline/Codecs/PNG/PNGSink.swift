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
        rowBytes = plan.source.width * plan.format.bytesPerPixel
        reduction = isInterlaced ? nil : Reduction(plan: plan)
        array = isInterlaced ? [UInt8](repeating: 0, count: rowBytes * plan.source.height) : []
    }

    /// Whether rows below the part that is shown need not be there.
    var leavesRowsOut: Bool { reduction.map { $0.rowsNeeded < plan.source.height } ?? false }

    var isComplete: Bool { reduction?.isComplete ?? (completePasses == 7) }

    /// - Returns: `false` when the watch has stopped it.
    func take(_ row: UnsafePointer<UInt8>?, y: Int, pass: Int, _ decoder: OpaquePointer, watch: DecodeWatch) -> Bool {
        guard y >= 0, y < plan.source.height else { return true }
        if let reduction {
            guard let row else { return true }
            let isDone = reduction.append(row, goesOn: watch.goesOn)
            rowsTaken = reduction.rowsTaken
            return isDone
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
        return true
    }

    /// The final image; `nil` when the watch has stopped it.
    func image(watch: DecodeWatch) -> Image? {
        guard reduction == nil else { return reduction?.image() }
        guard !plan.isWhole || plan.orientation != .up else {
            return Image(
                unpadded: array, size: plan.source, format: plan.format, iccProfile: plan.iccProfile,
                metadata: plan.metadata)
        }
        return passes(watch: watch)
    }

    /// How good a degraded image of what is there would be; `nil` if it would not be worth its while.
    ///
    /// - Parameter bytes: of the file, so far.
    func previewQuality(in schedule: inout PreviewSchedule, bytes: Int) -> Double? {
        guard let reduction else {
            // Pass n completes 1/64, 1/32, … 1/1 of the pixels.
            let quality = completePasses > 0 ? 1 / Double(1 << (7 - completePasses)) : 0
            return !isComplete && schedule.wants(quality) ? quality : nil
        }
        let (rows, all) = (reduction.rowsMade, plan.output.height)
        // The last rows' bytes are held until there are so many of them.
        let missing = Self.bytesAtOnce * rows / max(1, bytes)
        guard schedule.wants(rows: rows, of: all, last: all, isCostly: plan.isCostlyToCopy),
            PreviewSchedule.allows(missing: missing, of: all, isClear: !reduction.fadesOut)
        else { return nil }
        return Double(rows) / Double(all)
    }

    /// What cpng_process waits for near the end.
    private static let bytesAtOnce = 1024

    /// The rows that have come, or the picture as the passes so far show it, in blocks; `nil` when the watch has stopped it.
    func preview(watch: DecodeWatch) -> Image? {
        reduction?.preview() ?? passes(watch: watch)
    }

    private func passes(watch: DecodeWatch) -> Image? {
        let reduction = Reduction(plan: plan)
        for y in 0..<plan.source.height {
            guard watch.goesOn() else { return nil }
            let isDone = array.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return false }
                return reduction.append(base + y * rowBytes, goesOn: watch.goesOn)
            }
            guard isDone else { return nil }
        }
        return reduction.image()
    }
}

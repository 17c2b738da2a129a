/// The destination of a PNG's rows: they go into the reductions as they come. Of an interlaced picture every other row is held until the last pass
/// brings those between.
final class PNGSink {
    private let reductions: PNGReductions
    private let size: PixelSize
    /// Of a pixel as rows have it that come.
    private let pixelBytes: Int
    private let format: PixelFormat
    private let curve: GammaCurve?
    private let isInterlaced: Bool
    /// Rows 0, 2, 4, …, as the passes before the last one fill them.
    private var evenRows: [UInt8]
    private var rowsFed = 0
    /// A row in sRGB's samples.
    private var converted: [UInt8]
    private(set) var rowsTaken = 0
    /// Adam7 passes of which every row has come.
    private(set) var completePasses = 0

    /// - Parameters:
    ///   - format: of the pixels that are made of the rows.
    ///   - isDeep: whether rows that come have 16 bits a sample.
    ///   - curve: what makes one of the other.
    init(
        _ reductions: PNGReductions, size: PixelSize, format: PixelFormat, isDeep: Bool, curve: GammaCurve?,
        isInterlaced: Bool
    ) {
        self.reductions = reductions
        self.size = size
        self.format = format
        self.curve = curve
        self.isInterlaced = isInterlaced
        pixelBytes = format.deep(isDeep).bytesPerPixel
        evenRows = isInterlaced ? [UInt8](repeating: 0, count: (size.height + 1) / 2 * size.width * pixelBytes) : []
        converted = curve == nil ? [] : [UInt8](repeating: 0, count: size.width * format.bytesPerPixel)
    }

    /// The bytes held beside the reductions, saturating.
    static func heldBytes(_ size: PixelSize, pixelBytes: Int, isInterlaced: Bool) -> Int {
        isInterlaced ? DecodeLimits.product(DecodeLimits.product(size.width, pixelBytes), (size.height + 1) / 2) : 0
    }

    /// Whether rows below the part that is shown need not be there.
    var leavesRowsOut: Bool { reductions.rowsNeeded < size.height }

    var isComplete: Bool { reductions.isComplete }

    /// The bytes of its rows, of the reductions and of their images.
    var memoryNeeded: Int { evenRows.count + converted.count + reductions.memoryNeeded }

    /// True if there is something to show, though rows are missing.
    var hasRows: Bool { isInterlaced ? completePasses > 0 : rowsTaken > 0 }

    /// The final image and further ones, once it is known how they stand; `nil` where rows of them are missing.
    func images(_ metadata: ImageMetadata, location: DecodeError.Location) throws(DecodeError) -> [Image]? {
        try reductions.images(metadata, location: location)
    }

    // MARK: Rows

    /// - Parameter y: of the pass, where the picture is interlaced.
    /// - Returns: `false` when the watch has stopped it.
    func take(_ row: UnsafePointer<UInt8>, y: Int, pass: Int, watch: DecodeWatch) -> Bool {
        guard isInterlaced else {
            rowsTaken = y + 1
            return feed(row, watch)
        }
        guard Adam7Pass.all.indices.contains(pass) else { return true }
        let stage = Adam7Pass.all[pass]
        let part = stage.size(in: size)
        let place = stage.y + y * stage.down
        guard y >= 0, y < part.height else { return true }
        rowsTaken = place + 1
        if pass < 6 {
            let rowBytes = size.width * pixelBytes
            evenRows.withUnsafeMutableBufferPointer { rows in
                guard let base = rows.baseAddress else { return }
                stage.spread(row, count: part.width, pixelBytes: pixelBytes, into: base + place / 2 * rowBytes)
            }
        } else if !feedEvenRow(watch) || !feed(row, watch) {
            return false
        }
        guard y == part.height - 1 else { return true }
        completePasses = pass + 1
        while completePasses < 7, Adam7Pass.all[completePasses].isEmpty(in: size) { completePasses += 1 }
        // The last row of a picture of odd height. One row alone has no last pass.
        return completePasses < 7 || rowsFed == size.height || feedEvenRow(watch)
    }

    private func feedEvenRow(_ watch: DecodeWatch) -> Bool {
        let rowBytes = size.width * pixelBytes
        return evenRows.withUnsafeBufferPointer { rows in
            guard let base = rows.baseAddress else { return false }
            return feed(base + rowsFed / 2 * rowBytes, watch)
        }
    }

    private func feed(_ row: UnsafePointer<UInt8>, _ watch: DecodeWatch) -> Bool {
        rowsFed += 1
        return convert(row) { reductions.append($0, goesOn: watch.goesOn) }
    }

    private func convert(_ row: UnsafePointer<UInt8>, _ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        guard let curve else { return body(row) }
        return converted.withUnsafeMutableBufferPointer { converted in
            guard let out = converted.baseAddress else { return false }
            curve.convert(row, count: size.width, to: format, out)
            return body(out)
        }
    }

    // MARK: What is missing

    /// Makes up the rows that have not come: of an interlaced picture they are as the complete passes show them; others are black, or
    /// clear.
    ///
    /// - Returns: `false` when the watch has stopped it.
    func complete(watch: DecodeWatch) -> Bool {
        // Of the last pass every other row has been fed, each with the one above it.
        makeUp(from: rowsFed, watch: watch) { reductions.append($0, goesOn: watch.goesOn) }
    }

    /// Hands out the rows from one on, as the complete passes show them, in blocks.
    private func makeUp(from first: Int, watch: DecodeWatch, _ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
        let grid = Adam7Pass.grid(after: completePasses)
        var blocks = [UInt8](repeating: 0, count: size.width * pixelBytes)
        for y in first..<size.height {
            guard watch.goesOn() else { return false }
            if isInterlaced, y % grid.down == 0 { widen(row: y, by: grid.across, into: &blocks) }
            let isDone = blocks.withUnsafeBufferPointer { row in row.baseAddress.map { convert($0, body) } ?? false }
            guard isDone else { return false }
        }
        return true
    }

    // MARK: Degraded images

    /// How good a degraded image of what is there would be; `nil` if it would not be worth its while.
    ///
    /// - Parameter bytes: of the file, so far.
    func previewQuality(in schedule: inout PreviewSchedule, bytes: Int) -> Double? {
        guard !isInterlaced else {
            // Pass n completes 1/64, 1/32, … 1/1 of the pixels.
            let quality = completePasses > 0 ? 1 / Double(1 << (7 - completePasses)) : 0
            return !isComplete && schedule.wants(quality) ? quality : nil
        }
        let reduction = reductions.first
        let (rows, all) = (reduction.rowsMade, reduction.plan.output.height)
        // The last rows' bytes are held until there are so many of them.
        let missing = Self.bytesAtOnce * rows / max(1, bytes)
        guard schedule.wants(rows: rows, of: all, last: all, isCostly: reduction.plan.isCostlyToCopy),
            PreviewSchedule.allows(missing: missing, of: all, isClear: !reduction.fadesOut)
        else { return nil }
        return Double(rows) / Double(all)
    }

    /// The bytes that a step waits for near the end.
    private static let bytesAtOnce = 1024

    /// The rows that have come, or the picture as the complete passes show it, in blocks; `nil` when the watch has stopped it.
    ///
    /// - Parameter quality: of what the passes show.
    func previews(quality: Double, watch: DecodeWatch) -> [(image: Image, quality: Double)?]? {
        guard isInterlaced else { return reductions.first.previews() }
        let reduction = Reduction(plan: reductions.first.plan)
        let isDone = makeUp(from: 0, watch: watch) { reduction.append($0, goesOn: watch.goesOn) }
        return isDone ? reduction.images.map { ($0, quality) } : nil
    }

    /// Repeats the pixels that a row has every so many columns.
    private func widen(row: Int, by count: Int, into blocks: inout [UInt8]) {
        let start = row / 2 * blocks.count
        blocks.withUnsafeMutableBufferPointer { blocks in
            evenRows.withUnsafeBufferPointer { rows in
                for x in 0..<size.width {
                    let from = start &+ (x &- x % count) &* pixelBytes
                    for byte in 0..<pixelBytes { blocks[x &* pixelBytes &+ byte] = rows[from &+ byte] }
                }
            }
        }
    }
}

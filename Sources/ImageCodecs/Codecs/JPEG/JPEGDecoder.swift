import CJPEG

/// A push decoder for JPEG: baseline and progressive, Huffman and arithmetic, grey, YCbCr, RGB, CMYK and YCCK.
///
/// The picture is decoded whole, or at a half, a quarter or an eighth of its size where that leaves two and a half pixels for each one
/// asked for, and reduced row by row while its bytes arrive. A file in several scans is absorbed as coefficients (libjpeg's buffered-image mode) and rendered at
/// its end, or when a degraded image is asked for. An arithmetic-coded file cannot be suspended by libjpeg: its bytes are
/// held, within ``DecodeLimits/workingBytes``, until ``finish()``. So are those of the first scan where the picture's height
/// stands behind it (a DNL segment, T.81 B.2.5).
///
/// Degraded images: the thumbnail of the Exif segment as soon as the header has been read, if it shows all of the picture (black
/// bars are cut off). Then scans, or, of a file in one scan, the rows that are there; where others are missing they show the
/// thumbnail, or the last row, which fades to the mean colour. The rows of a picture of fewer than 24 rows of blocks are shown
/// on a thumbnail only.
public final class JPEGDecoder: FormatDecoder {
    public static let format = ImageFormat.jpeg
    public static let signatureLength = 3

    /// Returns a Boolean value that indicates whether the bytes begin with SOI and the first byte of a marker (T.81
    /// B.1.1).
    ///
    /// - Parameter prefix: The first bytes of a file.
    public static func recognizes(_ prefix: [UInt8]) -> Bool { prefix.starts(with: [0xFF, 0xD8, 0xFF]) }

    enum Phase {
        case header
        case rows(Reduction, JPEGRows)
        case scans
        /// With the image and further ones.
        case finished([Image])
        case closed
        case failed(DecodeError)
    }

    let options: DecodeOptions
    let watch: DecodeWatch
    let decoder: OpaquePointer?
    var phase = Phase.header
    private(set) var plan: JPEGPlan?
    private var holdsInput = false
    private var hasEnded = false
    private var isDoneEarly = false
    var previews = JPEGPreviews()
    public private(set) var furtherImages: [Image] = []

    /// Creates a decoder for one file.
    ///
    /// - Parameter options: The rendition, and the limits of the decode.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
        watch = DecodeWatch(options: options)
        decoder = cjpeg_decoder_create(max(0, options.limits.metadataBytes))
    }

    deinit { cjpeg_decoder_destroy(decoder) }

    public func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        switch phase {
        case .failed(let error): throw error
        case .closed: throw .alreadyFinished
        case .finished: return
        default: break
        }
        do throws(DecodeError) {
            try watch.working { () throws(DecodeError) in try supply(bytes) }
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    public var needsNoMoreBytes: Bool {
        if case .finished = phase { return isDoneEarly }
        return false
    }

    public func finish() throws(DecodeError) -> Image {
        do throws(DecodeError) {
            if !hasEnded, let decoder {
                hasEnded = true
                cjpeg_end_input(decoder)
                switch phase {
                case .header, .rows, .scans: try watch.working { () throws(DecodeError) in try advance(decoder) }
                default: break
                }
            }
        } catch {
            phase = .failed(error)
        }
        switch phase {
        case .finished(let images):
            phase = .closed
            guard let image = images.first else { throw .alreadyFinished }
            furtherImages = Array(images.dropFirst())
            return image
        case .failed(let error): throw error
        case .closed: throw .alreadyFinished
        case .header, .rows, .scans:
            let error = DecodeError.truncated(at: location)
            phase = .failed(error)
            throw error
        }
    }

    // MARK: Input

    private func supply(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        guard let decoder else { throw .outOfMemory(at: location) }
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        var offset = 0
        while offset < bytes.count {
            if holdsInput {
                try hold(base + offset, count: bytes.count - offset, decoder)
                return
            }
            let taken = cjpeg_supply(decoder, base + offset, bytes.count - offset)
            guard taken != .max else { throw .outOfMemory(at: location) }
            offset += taken
            try advance(decoder)
            if case .finished = phase {
                cjpeg_abandon_input(decoder)
                return
            }
            // What is left of the chunk is about to be kept.
            if holdsInput || cjpeg_awaits_height(decoder) != 0 { try checkHeld(0, decoder) }
            offset -= cjpeg_settle(decoder)
            if cjpeg_failure_kind(decoder) != CJPEG_FAILURE_NONE { throw failure(decoder) }
        }
    }

    private func hold(_ bytes: UnsafePointer<UInt8>, count: Int, _ decoder: OpaquePointer) throws(DecodeError) {
        try checkHeld(count, decoder)
        guard cjpeg_hold(decoder, bytes, count) != 0 else { throw .outOfMemory(at: location) }
    }

    /// Input that is held counts together with what decoding it will take.
    private func checkHeld(_ more: Int, _ decoder: OpaquePointer) throws(DecodeError) {
        let held = cjpeg_unread(decoder) + more
        let (working, overflow) = held.addingReportingOverflow(plan?.memory.workingBytes ?? 0)
        try options.limits.check(.workingBytes, overflow ? .max : working, options.limits.workingBytes, location)
    }

    // MARK: Steps

    /// Goes on until bytes are missing or the image is there.
    private func advance(_ decoder: OpaquePointer) throws(DecodeError) {
        if case .header = phase, try !readHeader(decoder) { return }
        switch phase {
        case .rows(let reduction, let rows):
            guard try pull(rows, reduction, decoder) else { return }
            phase = .finished(reduction.images)
            isDoneEarly = reduction.rowsNeeded < reduction.plan.source.height
        case .scans:
            try absorbScans(decoder)
        default:
            break
        }
    }

    /// - Returns: whether decoding can go on.
    private func readHeader(_ decoder: OpaquePointer) throws(DecodeError) -> Bool {
        if plan == nil {
            let hasAwaitedHeight = cjpeg_awaits_height(decoder) != 0
            let status = cjpeg_read_header(decoder)
            if status == CJPEG_NEEDS_BYTES { return false }
            guard status == CJPEG_OK else { throw failure(decoder) }
            plan = try makePlan(decoder)
            if hasAwaitedHeight { try checkHeld(0, decoder) }
        }
        guard let plan else { return false }
        holdsInput = plan.isArithmetic && !hasEnded
        if holdsInput { return false }
        // The plan has been checked; libjpeg's own count, a backstop, also has tables that are there in any case.
        let backstop = min(options.limits.workingBytes, 1 << 40) + (1 << 20)
        if options.leavesOutInvisible { cjpeg_set_visible_only(decoder, plan.memory.keepsVisible ? 1 : 0) }
        if plan.leavesOutScans { cjpeg_set_reduction(decoder, plan.ratio, plan.memory.keepsLittle ? 1 : 0) }
        guard cjpeg_start(decoder, plan.scale, backstop, plan.memory.coefficientLimit) == CJPEG_OK else {
            throw failure(decoder)
        }
        guard cjpeg_output_width(decoder) == plan.reduction.source.width,
            cjpeg_output_height(decoder) == plan.reduction.source.height
        else { throw .corrupt("a scaled size that libjpeg does not share", at: location) }
        if plan.hasMultipleScans {
            phase = .scans
        } else {
            let reduction = Reduction(plan: plan.reduction)
            let rows = JPEGRows(plan: plan, width: plan.reduction.source.width)
            if options.leavesOutInvisible {
                rows.crop(to: reduction.columns, of: decoder)
                rows.crop(above: reduction.firstRow, of: decoder)
            }
            phase = .rows(reduction, rows)
        }
        return true
    }

    private func makePlan(_ decoder: OpaquePointer) throws(DecodeError) -> JPEGPlan {
        var info = cjpeg_info()
        cjpeg_get_info(decoder, &info)
        var count = 0
        let exif = cjpeg_exif(decoder, &count)
        let facts = UnsafeBufferPointer(start: exif, count: exif == nil ? 0 : count)
        let density = HeaderDensity(jfifUnit: info.density_unit, x: info.density_x, y: info.density_y)
        let metadata = ImageMetadata(exif: ExifFacts(facts), density: density)
        let iccLength = cjpeg_icc_length(decoder)
        let profile =
            iccLength == 0
            ? nil
            : [UInt8](unsafeUninitializedCapacity: iccLength) { buffer, initialized in
                guard let base = buffer.baseAddress else { return }
                cjpeg_copy_icc(decoder, base)
                initialized = iccLength
            }
        return try JPEGPlan(
            info: info, metadata: metadata, iccProfile: profile, options: options, location: location,
            visibleBytes: { Int(clamping: cjpeg_visible_bytes(decoder, $0)) })
    }

    /// - Returns: whether all rows are there.
    private func pull(
        _ rows: JPEGRows, _ reduction: Reduction, _ decoder: OpaquePointer
    ) throws(DecodeError) -> Bool {
        switch rows.pull(from: decoder, into: reduction, watch: watch) {
        case .complete: return true
        case .needsBytes: return false
        case .stopped: throw watch.error(at: location)
        case .failed: throw failure(decoder)
        }
    }

    private func absorbScans(_ decoder: OpaquePointer) throws(DecodeError) {
        guard let plan else { return }
        while true {
            try watch.check(at: location)
            switch cjpeg_consume(decoder) {
            case CJPEG_OK:
                continue
            case CJPEG_SCAN_COMPLETE:
                try options.limits.check(
                    .scans, Int(cjpeg_scans_started(decoder)), options.limits.scans, location)
            case CJPEG_NEEDS_BYTES:
                return
            case CJPEG_END:
                guard cjpeg_is_complete(decoder) != 0 else { throw .truncated(at: location) }
                // No further pass will follow, and its end would wait for the next scan's header.
                phase = .finished(try render(scan: cjpeg_scans_complete(decoder), decoder, plan, isLast: true))
                isDoneEarly = cjpeg_ended_early(decoder) != 0
                return
            default:
                throw failure(decoder)
            }
        }
    }

    /// Renders what the scans up to `scan`, all of them absorbed, have brought: no input is read for it.
    func render(
        scan: Int32, _ decoder: OpaquePointer, _ plan: JPEGPlan, isLast: Bool = false
    ) throws(DecodeError) -> [Image] {
        guard cjpeg_start_output(decoder, scan) == CJPEG_OK else { throw failure(decoder) }
        let reduction = Reduction(plan: plan.reduction)
        let rows = JPEGRows(plan: plan, width: plan.reduction.source.width)
        guard try pull(rows, reduction, decoder) else { throw .corrupt("a scan that is not complete", at: location) }
        if !isLast { guard cjpeg_finish_output(decoder) == CJPEG_OK else { throw failure(decoder) } }
        return reduction.images
    }
}

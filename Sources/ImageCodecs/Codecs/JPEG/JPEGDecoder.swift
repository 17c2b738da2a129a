import CJPEG

/// A push decoder for JPEG: baseline and progressive, Huffman and arithmetic, grey, YCbCr, RGB, CMYK and YCCK.
///
/// The picture is decoded whole, or at a half, a quarter or an eighth of its size where that leaves two and a half pixels for each one
/// asked for, and reduced row by row while its bytes arrive. A file in several scans is absorbed as coefficients (libjpeg's
/// buffered-image mode) and rendered at its end, or when a degraded image is asked for. An arithmetic-coded file cannot be
/// suspended by libjpeg: its bytes are held, within ``DecodeLimits/workingBytes``, until ``finish()``. So are those of the first
/// scan where the picture's height stands behind it (a DNL segment, T.81 B.2.5).
///
/// Where data are damaged, the picture is libjpeg's own: see ``DamagePolicy``.
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
    let handle: JPEGHandle
    var phase = Phase.header
    private(set) var plan: JPEGPlan? {
        didSet {
            memoryNeeded = plan.map { plan in
                plan.reduction.memoryNeeded(beside: plan.memory.workingBytes - plan.reduction.workingBytes)
            }
        }
    }
    public private(set) var memoryNeeded: Int?
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
        handle = JPEGHandle(metadataLimit: options.limits.metadataBytes)
    }

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
            if !hasEnded {
                hasEnded = true
                handle.endInput()
                switch phase {
                case .header, .rows, .scans: try watch.working { () throws(DecodeError) in try advance() }
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
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        var offset = 0
        // What comes with the header of a large picture waits for the next call.
        let mayPause = plan == nil
        while offset < bytes.count {
            if holdsInput || mayPause && isLarge {
                let count = bytes.count - offset
                try checkHeld(count)
                guard handle.hold(base + offset, count: count) else { throw .outOfMemory(at: location) }
                return
            }
            guard let taken = handle.supply(base + offset, count: bytes.count - offset) else {
                throw .outOfMemory(at: location)
            }
            offset += taken
            try advance()
            if case .finished = phase {
                handle.abandonInput()
                return
            }
            // The rest of the chunk is about to be kept.
            if holdsInput || handle.awaitsHeight { try checkHeld(0) }
            offset -= handle.settle()
            if handle.failureKind != CJPEG_FAILURE_NONE { throw failure() }
        }
    }

    private var isLarge: Bool { memoryNeeded ?? 0 > options.pausesBeyond }

    /// Input that is held counts together with what decoding it will take.
    private func checkHeld(_ more: Int) throws(DecodeError) {
        let (working, overflow) = (handle.unread + more).addingReportingOverflow(plan?.memory.workingBytes ?? 0)
        try options.limits.check(.workingBytes, overflow ? .max : working, options.limits.workingBytes, location)
    }

    // MARK: Steps

    /// Goes on until bytes are missing or the image is there.
    private func advance() throws(DecodeError) {
        if case .header = phase, try !readHeader() { return }
        switch phase {
        case .rows(let reduction, let rows):
            guard let plan, try pull(rows, reduction) else { return }
            phase = .finished(reduction.images.map { $0.noting(damage(plan)) })
            isDoneEarly = reduction.rowsNeeded < reduction.plan.source.height
        case .scans:
            try absorbScans()
        default:
            break
        }
    }

    /// - Returns: whether decoding can go on.
    private func readHeader() throws(DecodeError) -> Bool {
        if plan == nil {
            let hasAwaitedHeight = handle.awaitsHeight
            let status = handle.readHeader()
            if status == CJPEG_NEEDS_BYTES { return false }
            guard status == CJPEG_OK else { throw failure() }
            plan = try makePlan()
            if hasAwaitedHeight { try checkHeld(0) }
            if isLarge, !hasEnded { return false }
        }
        guard let plan else { return false }
        holdsInput = plan.isArithmetic && !hasEnded
        if holdsInput { return false }
        // libjpeg asks for no more than it takes: the next array would find nothing left.
        guard SystemMemory.has(plan.memory.workingBytes) else { throw .outOfMemory(at: location) }
        guard handle.start(plan.wish(options)) == CJPEG_OK else { throw failure() }
        guard handle.outputSize == plan.reduction.source else {
            throw .corrupt("a scaled size that libjpeg does not share", at: location)
        }
        if plan.hasMultipleScans {
            phase = .scans
        } else {
            let reduction = try Reduction.make(plan.reduction, at: location)
            let rows = JPEGRows(plan: plan)
            if options.leavesOutInvisible {
                rows.crop(to: reduction.columns, of: handle)
                rows.crop(above: reduction.firstRow, of: handle)
            }
            phase = .rows(reduction, rows)
        }
        return true
    }

    private func makePlan() throws(DecodeError) -> JPEGPlan {
        let info = handle.info
        let density = HeaderDensity(jfifUnit: info.density_unit, x: info.density_x, y: info.density_y)
        let metadata = handle.withExif { ImageMetadata(exif: ExifFacts($0), density: density) }
        return try JPEGPlan(
            info: info, metadata: metadata, iccProfile: handle.iccProfile, options: options, location: location,
            visibleBytes: { handle.visibleBytes(scale: $0) })
    }

    /// - Returns: whether all rows are there.
    private func pull(_ rows: JPEGRows, _ reduction: Reduction) throws(DecodeError) -> Bool {
        switch rows.pull(from: handle, into: reduction, watch: watch) {
        case .complete: return true
        case .needsBytes: return false
        case .stopped: throw watch.error(at: location)
        case .failed: throw failure()
        }
    }

    private func absorbScans() throws(DecodeError) {
        guard let plan else { return }
        while true {
            try watch.check(at: location)
            switch handle.consume() {
            case CJPEG_OK:
                continue
            case CJPEG_SCAN_COMPLETE:
                try options.limits.check(.scans, handle.scansStarted, options.limits.scans, location)
            case CJPEG_NEEDS_BYTES:
                return
            case CJPEG_END:
                guard handle.isComplete || handle.noteTruncation() else { throw .truncated(at: location) }
                // No further pass will follow, and its end would wait for the next scan's header.
                let images = try render(scan: handle.scansComplete, plan, isLast: true)
                phase = .finished(images.map { $0.noting(damage(plan)) })
                isDoneEarly = handle.hasEndedEarly
                return
            default:
                throw failure()
            }
        }
    }

    /// Renders what the scans up to `scan`, all of them absorbed, have brought: no input is read for it.
    func render(scan: Int32, _ plan: JPEGPlan, isLast: Bool = false) throws(DecodeError) -> [Image] {
        guard handle.startOutput(scan: scan) == CJPEG_OK else { throw failure() }
        let reduction = try Reduction.make(plan.reduction, at: location)
        guard try pull(JPEGRows(plan: plan), reduction) else {
            throw .corrupt("a scan that is not complete", at: location)
        }
        if !isLast { guard handle.finishOutput() == CJPEG_OK else { throw failure() } }
        return reduction.images
    }
}

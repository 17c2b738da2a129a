import CJPEG

/// A decoder of `CJPEG`, and the only owner of it: one that was never made, because memory was short, fails at its first step.
struct JPEGHandle: ~Copyable {
    private let decoder: OpaquePointer?

    /// - Parameter metadataLimit: the most bytes of metadata that are kept.
    init(metadataLimit: Int) { decoder = cjpeg_decoder_create(max(0, metadataLimit)) }

    deinit { cjpeg_decoder_destroy(decoder) }

    // MARK: Input

    /// Points it at bytes that stay valid until ``settle()``.
    ///
    /// - Returns: how many it takes; nil where memory is short.
    func supply(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int? {
        guard let decoder else { return nil }
        let taken = cjpeg_supply(decoder, bytes, count)
        return taken == .max ? nil : taken
    }

    /// - Returns: how many of the bytes supplied are to be supplied again.
    func settle() -> Int { decoder.map(cjpeg_settle) ?? 0 }

    /// In place of ``settle()``, when no step will follow.
    func abandonInput() { decoder.map(cjpeg_abandon_input) }

    /// Keeps bytes without decoding them.
    ///
    /// - Returns: false where memory is short.
    func hold(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
        decoder.map { cjpeg_hold($0, bytes, count) != 0 } ?? false
    }

    /// Bytes supplied or held that no step has taken yet.
    var unread: Int { decoder.map(cjpeg_unread) ?? 0 }

    func endInput() { decoder.map(cjpeg_end_input) }

    // MARK: Header

    func readHeader() -> cjpeg_status { decoder.map(cjpeg_read_header) ?? CJPEG_FAILED }

    /// Whether it holds bytes for the picture's height, which comes late.
    var awaitsHeight: Bool { decoder.map { cjpeg_awaits_height($0) != 0 } ?? false }

    var info: cjpeg_info {
        var info = cjpeg_info()
        if let decoder { cjpeg_get_info(decoder, &info) }
        return info
    }

    /// Bytes of the coefficients that the transforms at a scale look at; 0 where they cannot be kept alone.
    func visibleBytes(scale: Int32) -> Int { decoder.map { Int(clamping: cjpeg_visible_bytes($0, scale)) } ?? 0 }

    /// Calls `body` with the Exif segment's TIFF structure, which is empty if there is none.
    func withExif<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var count = 0
        let bytes = decoder.flatMap { cjpeg_exif($0, &count) }
        return body(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }

    /// The ICC profile, if all its segments are there.
    var iccProfile: [UInt8]? {
        guard let decoder else { return nil }
        let length = cjpeg_icc_length(decoder)
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            cjpeg_copy_icc(decoder, base)
            initialized = length
        }
    }

    // MARK: Rows

    func start(_ wish: cjpeg_wish) -> cjpeg_status {
        withUnsafePointer(to: wish) { wish in decoder.map { cjpeg_start($0, wish) } ?? CJPEG_FAILED }
    }

    /// The size of the picture at its scale, once it has been started.
    var outputSize: PixelSize {
        decoder.map { PixelSize(width: Int(cjpeg_output_width($0)), height: Int(cjpeg_output_height($0))) }
            ?? PixelSize(width: 0, height: 0)
    }

    /// Has rows hold little more than these columns.
    ///
    /// - Returns: the columns that they will hold; nil for all.
    func crop(columns: Range<Int>) -> Range<Int>? {
        guard let decoder else { return nil }
        var (x, count) = (UInt32(columns.lowerBound), UInt32(columns.count))
        return cjpeg_crop(decoder, &x, &count) == 0 ? nil : Int(x)..<Int(x) + Int(count)
    }

    /// Has rows above this one counted, and not written where they can be left out.
    func crop(above row: Int) {
        if let decoder { cjpeg_crop_rows(decoder, UInt32(row)) }
    }

    /// - Parameter capacity: for how many rows there is room; afterwards, how many were written.
    func readRows(_ rows: UnsafeMutablePointer<UInt8>, stride: Int, _ capacity: inout Int) -> cjpeg_status {
        var count: UInt32 = 0
        let status = decoder.map { cjpeg_read_rows($0, rows, stride, UInt32(capacity), &count) } ?? CJPEG_FAILED
        capacity = Int(count)
        return status
    }

    // MARK: Scans

    /// Absorbs a row of blocks.
    func consume() -> cjpeg_status { decoder.map(cjpeg_consume) ?? CJPEG_FAILED }
    var scansStarted: Int { Int(decoder.map(cjpeg_scans_started) ?? 0) }
    var scansComplete: Int32 { decoder.map(cjpeg_scans_complete) ?? 0 }
    /// The last complete scan that changes a pixel.
    var lastVisibleScan: Int { Int(decoder.map(cjpeg_last_visible_scan) ?? 0) }
    /// The share of the coefficients' precision that has arrived.
    var completeness: Double { decoder.map(cjpeg_completeness) ?? 0 }
    /// That of the component of which least has arrived.
    var leastCompleteness: Double { decoder.map(cjpeg_least_completeness) ?? 0 }
    /// Whether all that a complete file must have has been seen.
    var isComplete: Bool { decoder.map { cjpeg_is_complete($0) != 0 } ?? false }
    /// Whether the last scan that shows was not the file's last.
    var hasEndedEarly: Bool { decoder.map { cjpeg_ended_early($0) != 0 } ?? false }
    func startOutput(scan: Int32) -> cjpeg_status { decoder.map { cjpeg_start_output($0, scan) } ?? CJPEG_FAILED }
    func finishOutput() -> cjpeg_status { decoder.map(cjpeg_finish_output) ?? CJPEG_FAILED }

    // MARK: Errors

    /// The first place at which pixels were lost that are painted.
    var damage: cjpeg_damage { decoder.map(cjpeg_get_damage) ?? cjpeg_damage() }
    /// Notes that the file has ended too early.
    ///
    /// - Returns: false where that is a failure.
    func noteTruncation() -> Bool { decoder.map { cjpeg_note_truncation($0) != 0 } ?? false }

    /// Bytes consumed so far.
    var byteOffset: Int { decoder.map { Int(clamping: cjpeg_byte_offset($0)) } ?? 0 }
    var failureKind: cjpeg_failure { decoder.map(cjpeg_failure_kind) ?? CJPEG_FAILURE_MEMORY }
    var message: String { decoder.map { String(cString: cjpeg_message($0)) } ?? "" }
}

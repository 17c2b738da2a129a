import CJPEG

/// The memory that a JPEG takes beside its image, at one scale.
struct JPEGMemory {
    /// Bytes that are not counted, for tables and as many rows of whole blocks as are made of coefficients kept in part.
    private static var uncounted: Int { 1 << 20 }

    /// The coefficients that are kept of a file in several scans.
    let kept: cjpeg_kept
    /// Bytes that coefficients may take where not all of them are kept.
    let coefficientLimit: Int
    /// Bytes held beside the image, and beside input that cannot be decoded yet.
    let workingBytes: Int

    /// - Parameters:
    ///   - reduction: the bytes that it holds.
    ///   - leavesOutScans: whether scans are left out that hardly show.
    ///   - visibleBytes: of the coefficients that the transforms look at; 0 if that is not to be relied upon.
    init(
        info: cjpeg_info, reduction: Int, leavesOutScans: Bool, limits: DecodeLimits, visibleBytes: () -> Int
    ) {
        let keepsShown = leavesOutScans && info.is_selective != 0
        let (all, rest) = (Int(clamping: info.coefficient_bytes), Int(clamping: info.row_bytes) + reduction)
        let planes = keepsShown ? 0 : visibleBytes()
        // Rows of whole blocks are made of them to show an image.
        let blocksBeyond = max(0, Int(clamping: info.block_row_bytes) - Self.uncounted)
        let visible = planes > 0 ? planes + blocksBeyond : 0
        // Apart from each other they take longer: a sixth of the time where they are a third (3 eighths), two fifths where they
        // are half. That is done only where all of them would be too many.
        let keepsVisible = visible > 0 && visible < all && (visible <= all / 2 || all > limits.workingBytes - rest)
        kept = keepsShown ? CJPEG_KEPT_SHOWN : keepsVisible ? CJPEG_KEPT_VISIBLE : CJPEG_KEPT_ALL
        // Of those that show, one a block is kept in any case. The decoder counts the others before it allocates them.
        let coefficients = keepsVisible ? visible : all / (keepsShown ? 64 : 1)
        let (sum, overflow) = (info.has_multiple_scans != 0 ? coefficients : 0).addingReportingOverflow(rest)
        workingBytes = overflow ? .max : sum
        coefficientLimit = max(0, min(limits.workingBytes, 1 << 40) - rest) + Self.uncounted
    }
}

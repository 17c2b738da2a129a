import CJPEG

/// How a JPEG is to be decoded: decided once its header is there, and before anything is allocated.
struct JPEGPlan {
    /// The inverse transform's scale in eighths.
    let scale: Int32
    let pixels: cjpeg_pixels
    let hasMultipleScans: Bool
    let isArithmetic: Bool
    let stored: PixelSize
    let reduction: Reduction.Plan
    /// Rows, as decoded, that no degraded image has: those of the last blocks come together with the final image, and those
    /// above them wait for them to interpolate colour.
    let rowsAtOnce: Int
    /// Pixels stored per pixel wanted, along the side that is reduced less.
    let ratio: Double
    /// Of a progressive file only the coefficients are kept that the target shows; how many, its scans will tell.
    let keepsLittle: Bool
    /// Only the coefficients are kept that the scale's transforms look at.
    let keepsVisible: Bool
    /// Bytes that coefficients may take where not all of them are kept.
    let coefficientLimit: Int
    /// Bytes held beside the image, and beside input that cannot be decoded yet.
    let workingBytes: Int

    /// - Parameter visibleBytes: of the coefficients that the transforms at a scale look at; 0 if that is not to be relied upon.
    /// - Throws: what is not decoded, and what is beyond a limit.
    init(
        info: cjpeg_info, metadata: ImageMetadata, iccProfile: [UInt8]?, options: DecodeOptions,
        location: DecodeError.Location, visibleBytes: (_ scale: Int32) -> Int
    ) throws(DecodeError) {
        let format: PixelFormat
        switch info.pixels {
        case CJPEG_PIXELS_GREY: format = .grey8
        case CJPEG_PIXELS_RGB, CJPEG_PIXELS_CMYK: format = .rgb8
        default: throw .unsupported("\(info.components) components of no known colour space", at: location)
        }
        stored = PixelSize(width: Int(info.width), height: Int(info.height))
        let placement = options.placement(stored: stored, metadata.storedOrientation)
        let (region, output) = (placement.region, placement.output)
        try options.limits.check(stored: stored, output: output, format: format, location: location)

        let ratios = (region.width / Double(output.width), region.height / Double(output.height))
        // The size that all of the picture would have.
        let whole = PixelSize(
            width: Int((Double(stored.width) / ratios.0).rounded()),
            height: Int((Double(stored.height) / ratios.1).rounded()))
        scale = options.linearLight ? 8 : Self.scale(stored: stored, output: whole)
        pixels = info.pixels
        hasMultipleScans = info.has_multiple_scans != 0
        isArithmetic = info.is_arithmetic != 0
        ratio = min(ratios.0, ratios.1)
        rowsAtOnce = (Int(info.block_rows) * Int(scale) + 7) / 8 + 2
        let share = Double(scale) / 8
        reduction = Reduction.Plan(
            source: PixelSize(
                width: (stored.width * Int(scale) + 7) / 8, height: (stored.height * Int(scale) + 7) / 8),
            region: region.scaled(by: share), output: output, format: format,
            orientation: metadata.storedOrientation,
            iccProfile: iccProfile.flatMap { profile in
                profile.withUnsafeBufferPointer { ICCProfile.describes(format, profile: $0) } ? profile : nil
            },
            metadata: metadata, filter: options.filter, linearLight: options.linearLight,
            averaged: Self.averaged(scale: scale))
        keepsLittle =
            options.leavesOutScans && !options.linearLight && info.is_progressive != 0 && !isArithmetic
            && (scale == 1 || ratio >= 14)
        let (all, rest) = (
            Int(clamping: info.coefficient_bytes), Int(clamping: info.row_bytes) + reduction.workingBytes
        )
        let visible = keepsLittle || !options.leavesOutInvisible ? 0 : visibleBytes(scale)
        // Apart from each other they take longer: a sixth of the time where they are a third (3 eighths), two fifths where they
        // are half. That is done only where all of them would be too many.
        keepsVisible = visible > 0 && visible < all && (visible <= all / 2 || all > options.limits.workingBytes - rest)
        // Of those that show, one a block is kept in any case. The decoder counts the others before it allocates them.
        let kept = keepsVisible ? visible : all / (keepsLittle ? 64 : 1)
        let (sum, overflow) = (hasMultipleScans ? kept : 0).addingReportingOverflow(rest)
        workingBytes = overflow ? .max : sum
        // Beside them are the rows of blocks that libjpeg works on, and tables.
        coefficientLimit = max(0, min(options.limits.workingBytes, 1 << 40) - rest) + (1 << 20)
        try options.limits.check(.workingBytes, workingBytes, options.limits.workingBytes, location)
    }

    /// At 1 and 2 eighths libjpeg gives means of the pixels. At 4 it does so too, but its colour, which most files store at
    /// half size, is then at its own full size.
    static func averaged(scale: Int32) -> Int {
        scale <= 2 ? 8 / Int(scale) : 1
    }

    /// The smallest scale that leaves the reduction enough pixels each way for 50 dB to the whole picture reduced.
    ///
    /// Twice the pixels wanted at 3 and 5 eighths, where libjpeg leaves the higher frequencies out. At 1, 2 and 4 it gives
    /// means of pixels, into which higher frequencies fold: two and a half times there (3 to 4 dB more than at twice).
    /// libjpeg rounds scaled sizes up. Not 6 and 7 eighths: libjpeg-turbo has no vector code for their transforms, so that
    /// 8 eighths take less time.
    static func scale(stored: PixelSize, output: PixelSize) -> Int32 {
        guard output != stored else { return 8 }
        let scale = (1...5).first { scale in
            let halves = scale == 3 || scale == 5 ? 4 : 5
            return 2 * ((stored.width * scale + 7) / 8) >= halves * output.width
                && 2 * ((stored.height * scale + 7) / 8) >= halves * output.height
        }
        return Int32(scale ?? 8)
    }
}

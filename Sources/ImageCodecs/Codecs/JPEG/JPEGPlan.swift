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
    /// Whether scans are left out that hardly show.
    let leavesOutScans: Bool
    let memory: JPEGMemory

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
        let stored = PixelSize(width: Int(info.width), height: Int(info.height))
        let placement = options.placement(stored: stored, metadata.storedOrientation)
        let (region, output) = (placement.region, placement.output)
        try options.limits.check(stored: stored, output: output, format: format, location: location)

        let further = options.furtherPlacements(stored: stored, metadata.storedOrientation)
        let ratio = ([placement] + further).map(\.ratio).min() ?? 1
        let leavesOutScans =
            options.rendition.leavesOutScans && !options.rendition.linearLight && options.rendition.quality != .exact
        let isWhole = options.rendition.linearLight || options.rendition.quality == .exact
        let profile = iccProfile.flatMap { profile in
            profile.withUnsafeBufferPointer { ICCProfile.describes(format, profile: $0) } ? profile : nil
        }
        /// Returns the work to do at a scale, and the memory that it takes.
        func choice(_ scale: Int32) -> (scale: Int32, reduction: Reduction.Plan, memory: JPEGMemory) {
            var reduction = Reduction.Plan(
                source: PixelSize(
                    width: (stored.width * Int(scale) + 7) / 8, height: (stored.height * Int(scale) + 7) / 8),
                region: region.scaled(by: Double(scale) / 8), output: output, format: format,
                orientation: metadata.storedOrientation, iccProfile: profile, metadata: metadata,
                filter: options.rendition.filter, linearLight: options.rendition.linearLight,
                averaged: JPEGScale.averaged(scale))
            reduction.derivesFurther = options.derivesFurther && !isWhole && reduction.isWorthDeriving
            reduction.add(
                further.map { $0.scaled(by: Double(scale) / 8) }, held: Int(clamping: info.row_bytes),
                limits: options.limits)
            let memory = JPEGMemory(
                info: info, reduction: reduction.workingBytes,
                leavesOutScans: leavesOutScans && (scale == 1 || ratio >= 14), limits: options.limits,
                visibleBytes: { options.leavesOutInvisible ? visibleBytes(scale) : 0 })
            return (scale, reduction, memory)
        }
        var chosen = choice(8)
        let scales = JPEGScale(stored: stored, colour: (Int(info.colour_across), Int(info.colour_down)))
        let candidates = ([placement] + further).map { scales.candidates(output: $0.whole(of: stored)) }
        // The largest picture decides.
        for scale in isWhole ? [8] : candidates.max(by: { ($0.first ?? 0) < ($1.first ?? 0) }) ?? [] {
            chosen = choice(scale)
            if chosen.memory.workingBytes <= options.limits.workingBytes { break }
        }
        (scale, reduction, memory) = chosen
        try options.limits.check(.workingBytes, memory.workingBytes, options.limits.workingBytes, location)
        self.stored = stored
        self.ratio = ratio
        self.leavesOutScans = leavesOutScans
        pixels = info.pixels
        hasMultipleScans = info.has_multiple_scans != 0
        isArithmetic = info.is_arithmetic != 0
        rowsAtOnce = (Int(info.block_rows) * Int(scale) + 7) / 8 + 2
    }

    /// The wishes that the decoder is asked for.
    func wish(_ options: DecodeOptions) -> cjpeg_wish {
        var wish = cjpeg_wish()
        wish.scale = scale
        wish.is_final_only = options.leavesOutInvisible ? 1 : 0
        wish.reduction = leavesOutScans ? ratio : 0
        wish.kept = memory.kept
        wish.coefficient_limit = memory.coefficientLimit
        // The plan has been checked; libjpeg's own count, a backstop, also has tables that are there in any case.
        wish.shows_damage = options.rendition.damage == .show ? 1 : 0
        wish.memory_limit = min(options.limits.workingBytes, 1 << 40) + (1 << 20)
        return wish
    }
}

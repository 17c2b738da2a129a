import CJPEG

/// How a JPEG is to be decoded: decided once its header is there, and before anything is allocated.
struct JPEGPlan {
    /// The inverse transform's scale in eighths.
    let scale: Int32
    let pixels: cjpeg_pixels
    /// Adobe's CMYK: 255 is no ink.
    let isInvertedCMYK: Bool
    let hasMultipleScans: Bool
    let isArithmetic: Bool
    let reduction: Reduction.Plan

    /// - Throws: what is not decoded, and what is beyond a limit.
    init(
        info: cjpeg_info, orientation: Orientation, iccProfile: [UInt8]?, options: DecodeOptions,
        location: DecodeError.Location
    ) throws(DecodeError) {
        let channels: Int
        switch info.pixels {
        case CJPEG_PIXELS_GREY: channels = 1
        case CJPEG_PIXELS_RGB, CJPEG_PIXELS_CMYK: channels = 3
        default: throw .unsupported("\(info.components) components of no known colour space", at: location)
        }
        let format: PixelFormat = channels == 1 ? .grey8 : .rgb8
        let stored = PixelSize(width: Int(info.width), height: Int(info.height))
        let box = options.targetSize.map { orientation.applied(to: $0) }
        let output = box.map { stored.fitted(in: $0) } ?? stored
        try options.limits.check(stored: stored, output: output, channels: channels, location: location)

        scale = Self.scale(stored: stored, output: output)
        pixels = info.pixels
        isInvertedCMYK = info.is_inverted_cmyk != 0
        hasMultipleScans = info.has_multiple_scans != 0
        isArithmetic = info.is_arithmetic != 0
        let share = Double(scale) / 8
        reduction = Reduction.Plan(
            source: PixelSize(
                width: (stored.width * Int(scale) + 7) / 8, height: (stored.height * Int(scale) + 7) / 8),
            extent: (Double(stored.width) * share, Double(stored.height) * share),
            output: output, format: format, orientation: orientation,
            iccProfile: iccProfile.flatMap { profile in
                profile.withUnsafeBufferPointer { ICCProfile.describes(format, profile: $0) } ? profile : nil
            })
        let coefficients = hasMultipleScans ? Int(clamping: info.coefficient_bytes) : 0
        let (working, overflow) = coefficients.addingReportingOverflow(
            Int(clamping: info.row_bytes) + reduction.workingBytes)
        try options.limits.check(
            .workingBytes, overflow ? .max : working, options.limits.workingBytes, location)
    }

    /// The smallest scale that leaves the reduction at least twice the pixels wanted each way: below that, what the
    /// transform's own reduction costs in sharpness shows (10 dB at 1.9 times). libjpeg rounds scaled sizes up.
    static func scale(stored: PixelSize, output: PixelSize) -> Int32 {
        guard output != stored else { return 8 }
        for scale in 1..<8
        where (stored.width * scale + 7) / 8 >= 2 * output.width && (stored.height * scale + 7) / 8 >= 2 * output.height {
            return Int32(scale)
        }
        return 8
    }
}

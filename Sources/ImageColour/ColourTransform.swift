import CLCMS2
import ImageCodecs

/// A conversion of rows of samples to sRGB, as the library has prepared it.
struct ColourTransform: ~Copyable {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM

    /// - Returns: nil where the profile cannot be read or describes other samples than these.
    init?(from profile: [UInt8], of format: PixelFormat, intent: RenderingIntent) {
        // A context of its own: the library's common one has a lock and reports to whoever has set a handler.
        guard let context = cmsCreateContext(nil, nil) else { return nil }
        guard let transform = Self.transform(context, profile, format, intent) else {
            cmsDeleteContext(context)
            return nil
        }
        self.context = context
        self.transform = transform
    }

    deinit {
        cmsDeleteTransform(transform)
        cmsDeleteContext(context)
    }

    /// Converts pixels that lie one after another; `out` has room for as many bytes.
    func convert(_ pixels: UnsafeRawPointer, to out: UnsafeMutableRawPointer, pixels count: Int) {
        cmsDoTransform(transform, pixels, out, cmsUInt32Number(clamping: count))
    }

    private static func transform(
        _ context: cmsContext, _ bytes: [UInt8], _ format: PixelFormat, _ intent: RenderingIntent
    ) -> cmsHTRANSFORM? {
        let space = format.isGrey ? cmsSigGrayData : cmsSigRgbData
        guard let source = cmsOpenProfileFromMemTHR(context, bytes, cmsUInt32Number(clamping: bytes.count)) else {
            return nil
        }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == space,
            let target = format.isGrey ? greyProfile(context) : cmsCreate_sRGBProfileTHR(context)
        else { return nil }
        defer { cmsCloseProfile(target) }
        let samples = lcms2_samples(format.isGrey ? 1 : 0, format.hasAlpha ? 1 : 0, format.isDeep ? 1 : 0)
        var flags = cmsFLAGS_COPY_ALPHA | cmsFLAGS_BLACKPOINTCOMPENSATION
        // The library's short cut is good to a level for colours of 8 bits, and a sixth of the time; elsewhere it is a coarse
        // table: 12 levels of 255 off for Display P3 in 16 bits, 9 for linear grey.
        if format.isDeep || format.isGrey { flags |= cmsFLAGS_NOOPTIMIZE }
        return cmsCreateTransformTHR(
            context, source, samples, target, samples, intent.number, cmsUInt32Number(flags))
    }

    /// Grey as sRGB has it: the profile connection space's white, and the curve of IEC 61966-2-1.
    private static func greyProfile(_ context: cmsContext) -> cmsHPROFILE? {
        let curve = cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        defer { cmsFreeToneCurve(curve) }
        return cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve)
    }
}

extension RenderingIntent {
    fileprivate var number: cmsUInt32Number {
        switch self {
        case .perceptual: cmsUInt32Number(INTENT_PERCEPTUAL)
        case .relativeColorimetric: cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
        case .saturation: cmsUInt32Number(INTENT_SATURATION)
        case .absoluteColorimetric: cmsUInt32Number(INTENT_ABSOLUTE_COLORIMETRIC)
        }
    }
}

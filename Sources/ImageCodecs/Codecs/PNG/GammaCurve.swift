import Files

/// From samples that are a power of light to sRGB's, of the same depth or from 16 bits to 8.
///
/// Alpha is no light: it stays as it is.
struct GammaCurve {
    private enum Table {
        case bytes([UInt8])
        /// From 16 bits to 8: no level is lost in the dark, where sRGB has many of those that are one in linear samples.
        case narrowing([UInt8])
        case deep([UInt16])
    }

    private let table: Table

    /// - Parameters:
    ///   - gamma: the power of light that samples are.
    ///   - isDeep: whether they have 16 bits.
    ///   - keepsDepth: whether they still have them afterwards.
    /// - Returns: `nil` for what is sRGB as near as makes no difference, within five hundredths of 1/2.2: viewers show
    ///   those as they are, too.
    init?(gamma: Double, isDeep: Bool, keepsDepth: Bool) {
        guard gamma > 0, gamma.isFinite, !(0.95...1.05).contains(gamma * 2.2) else { return nil }
        func converted(_ share: Double) -> Double { SRGBCurve.sample(pow(share, 1 / gamma)) }
        switch (isDeep, keepsDepth) {
        case (false, _):
            table = .bytes((0...255).map { UInt8(255 * converted(Double($0) / 255) + 0.5) })
        case (true, true):
            table = .deep((0...65_535).map { UInt16(65_535 * converted(Double($0) / 65_535) + 0.5) })
        case (true, false):
            // From where on each of the 255 upper levels is the nearest.
            var levels = [UInt8](repeating: 255, count: 65_536)
            var start = 0
            for level in 0..<255 {
                let end = pow(SRGBCurve.light((Double(level) + 0.5) / 255), gamma) * 65_535
                let next = max(start, min(65_536, Int(end.rounded(.up))))
                for sample in start..<next { levels[sample] = UInt8(level) }
                start = next
            }
            table = .narrowing(levels)
        }
    }

    /// Converts a row of pixels.
    ///
    /// - Parameters:
    ///   - format: of the pixels that are made.
    ///   - out: room for them.
    func convert(_ row: UnsafeRawPointer, count: Int, to format: PixelFormat, _ out: UnsafeMutableRawPointer) {
        switch table {
        case .bytes(let table):
            Self.convert(Samples<UInt8>(row), count, format, MutableSamples<UInt8>(out), table) { $0 }
        case .narrowing(let table):
            Self.convert(Samples<UInt16>(row), count, format, MutableSamples<UInt8>(out), table) {
                UInt8(truncatingIfNeeded: $0 >> 8)
            }
        case .deep(let table):
            Self.convert(Samples<UInt16>(row), count, format, MutableSamples<UInt16>(out), table) { $0 }
        }
    }

    @inline(__always)
    private static func convert<From: PixelSample, Target: PixelSample>(
        _ row: Samples<From>, _ count: Int, _ format: PixelFormat, _ out: MutableSamples<Target>, _ table: [Target],
        alpha: (From) -> Target
    ) {
        table.withUnsafeBufferPointer { table in
            let channels = format.channels
            let colours = format.hasAlpha ? channels - 1 : channels
            for pixel in 0..<count {
                let at = pixel &* channels
                for channel in 0..<colours { out[at &+ channel] = table[Int(row[at &+ channel])] }
                if format.hasAlpha { out[at &+ colours] = alpha(row[at &+ colours]) }
            }
        }
    }
}

extension Image {
    /// The picture in sRGB's samples, if it says that its own are another power of light.
    func withGammaApplied(keepsDepth: Bool) -> Image {
        guard iccProfile == nil, let gamma = metadata.gamma,
            let curve = GammaCurve(gamma: gamma, isDeep: format.isDeep, keepsDepth: keepsDepth)
        else { return self }
        let target = format.deep(format.isDeep && keepsDepth)
        var bytes = [UInt8](repeating: 0, count: width * height * target.bytesPerPixel)
        withUnsafeBytes { source in
            bytes.withUnsafeMutableBytes { out in
                guard let source = source.baseAddress, let out = out.baseAddress else { return }
                for y in 0..<height {
                    curve.convert(
                        source + y * bytesPerRow, count: width, to: target, out + y * width * target.bytesPerPixel)
                }
            }
        }
        var metadata = metadata
        metadata.gamma = nil
        return Image(unpadded: bytes, size: size, format: target, iccProfile: nil, metadata: metadata)
    }
}

extension ImageMetadata {
    /// The facts in the chunks of a PNG that have come.
    init(_ gate: PNGChunkGate, hasProfile: Bool) {
        let exif = (gate.data(of: .exif) ?? []).withUnsafeBufferPointer { ExifFacts($0) }
        self.init(
            exif: exif, density: gate.data(of: .density).flatMap(Self.density),
            gamma: gate.gamma(hasProfile: hasProfile))
    }

    /// Two numbers, and a byte that says whether they are per metre, or give only a pixel's shape (PNG 3rd edition, 11.3.4.3).
    private static func density(_ data: ArraySlice<UInt8>) -> HeaderDensity? {
        guard data.last == 1 else { return nil }
        return HeaderDensity(
            horizontal: number(data.prefix(4)), vertical: number(data.dropFirst(4).prefix(4)), unit: .metre)
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension PNGChunkGate {
    /// The power of light that samples are, if that is what says what they mean: the first of these that is there does, `cICP`, `iCCP`,
    /// `sRGB`, `gAMA` (PNG 3rd edition, 4.3).
    func gamma(hasProfile: Bool) -> Double? {
        guard !hasProfile, data(of: .codePoints) == nil, data(of: .sRGB) == nil else { return nil }
        return data(of: .gamma).flatMap { PNGGamma(Double(ImageMetadata.number($0)) / 100_000)?.gamma }
    }
}

extension ImageMetadata {
    /// What the chunks before a PNG's data say.
    ///
    /// What the samples mean, the first of these says that is there: `cICP`, `iCCP`, `sRGB`, `gAMA` (PNG 3rd edition, 4.3).
    init(_ gate: PNGChunkGate, hasProfile: Bool) {
        var gamma: PNGGamma?
        if !hasProfile, gate.data(of: .codePoints) == nil, gate.data(of: .sRGB) == nil {
            gamma = gate.data(of: .gamma).flatMap { PNGGamma(Double(Self.number($0)) / 100_000) }
        }
        let exif = (gate.data(of: .exif) ?? []).withUnsafeBufferPointer { ExifFacts($0) }
        self.init(exif: exif, density: gate.data(of: .density).flatMap(Self.density), gamma: gamma?.gamma)
    }

    /// Two numbers, and a byte that says whether they are per metre, or give only a pixel's shape (PNG 3rd edition, 11.3.4.3).
    private static func density(_ data: ArraySlice<UInt8>) -> HeaderDensity? {
        guard data.last == 1 else { return nil }
        return HeaderDensity(
            horizontal: number(data.prefix(4)), vertical: number(data.dropFirst(4).prefix(4)), unit: .metre)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// A way in which a picture's pixels can be stored (PNG 3rd edition, 11.2.1).
struct PNGLayout: Equatable {
    enum Samples: Equatable {
        /// Those of a format that loses nothing of them.
        case format(PixelFormat)
        /// Grey levels of 1, 2 or 4 bits.
        case grey(bits: Int)
        case palette(PNGPalette)
    }

    let samples: Samples
    /// Whether rows are stored as differences to their neighbours.
    let isFiltered: Bool

    /// IHDR's colour type.
    var colourType: Int32 {
        switch samples {
        case .format(let format): (format.isGrey ? 0 : 2) | (format.hasAlpha ? 4 : 0)
        case .grey: 0
        case .palette: 3
        }
    }

    /// IHDR's bit depth.
    var bits: Int {
        switch samples {
        case .format(let format): format.bitsPerSample
        case .grey(let bits): bits
        case .palette(let palette): palette.bits
        }
    }

    var palette: PNGPalette? {
        if case .palette(let palette) = samples { palette } else { nil }
    }

    /// Those of an image in which its file may be smallest, the first one as it is.
    static func all(of image: Image) -> [PNGLayout] {
        let least = image.leastFormat
        var layouts = [PNGLayout(samples: .format(image.format), isFiltered: true)]
        func add(_ samples: Samples, isFiltered: Bool) {
            let layout = PNGLayout(samples: samples, isFiltered: isFiltered)
            if !layouts.contains(layout) { layouts.append(layout) }
        }
        add(.format(least), isFiltered: true)
        add(.format(least), isFiltered: false)
        var bits = 8
        if least == .grey8 {
            bits = image.greyBits
            if bits < 8 { add(.grey(bits: bits), isFiltered: false) }
        }
        // A profile describes samples of colour, or grey ones; a palette's are of colour.
        let mayHavePalette = !least.isDeep && (image.iccProfile == nil || !image.format.isGrey)
        if mayHavePalette, let palette = PNGPalette(image.format.isDeep ? image.converted(to: least) : image),
            least != .grey8 || palette.bits < bits || image.iccProfile != nil
        {
            add(.palette(palette), isFiltered: false)
            if palette.bits == 8 { add(.palette(palette), isFiltered: true) }
        }
        return layouts
    }
}

extension Image {
    /// The format with the fewest samples that has all that the pixels have.
    fileprivate var leastFormat: PixelFormat {
        guard format.isDeep else { return leastFormat(UInt8.self, isDeep: false) }
        let fitsBytes = all(UInt16.self) { row, at, channels in
            (at..<at &+ channels).allSatisfy { row[$0] >> 8 == row[$0] & 255 }
        }
        return leastFormat(UInt16.self, isDeep: !fitsBytes)
    }

    private func leastFormat<Sample: PixelSample>(_ sample: Sample.Type, isDeep: Bool) -> PixelFormat {
        var isGrey = format.isGrey
        if !isGrey, iccProfile == nil {
            isGrey = all(sample) { row, at, _ in row[at] == row[at &+ 1] && row[at] == row[at &+ 2] }
        }
        let hasAlpha = format.hasAlpha && !all(sample) { row, at, channels in row[at &+ channels &- 1] == .max }
        return PixelFormat(isGrey: isGrey, hasAlpha: hasAlpha, isDeep: isDeep)
    }

    /// The number of bits that the levels of a grey picture take: 1, 2, 4 or 8.
    fileprivate var greyBits: Int {
        [(1, 255), (2, 85), (4, 17)].first { _, step in
            format.isDeep
                ? all(UInt16.self) { row, at, _ in Int(row[at] >> 8) % step == 0 }
                : all(UInt8.self) { row, at, _ in Int(row[at]) % step == 0 }
        }?.0 ?? 8
    }

    /// Whether all pixels are like that. Asked up to the first that is not.
    @inline(__always)
    private func all<Sample: PixelSample>(
        _ sample: Sample.Type, _ isSo: (_ row: Samples<Sample>, _ at: Int, _ channels: Int) -> Bool
    ) -> Bool {
        let channels = format.channels
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return true }
            for y in 0..<height {
                let row = Samples<Sample>(base + y * bytesPerRow)
                for x in 0..<width where !isSo(row, x &* channels, channels) { return false }
            }
            return true
        }
    }
}

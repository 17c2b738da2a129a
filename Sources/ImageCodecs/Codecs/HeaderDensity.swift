/// A density as a file's own header gives it, in whole numbers: JFIF's (version 1.02, APP0) or PNG's `pHYs` chunk (PNG 3rd edition, 11.3.4.3).
struct HeaderDensity {
    enum Unit {
        case inch, centimetre, metre

        /// How many pixels an inch has where this has one.
        var perInch: Double {
            switch self {
            case .inch: 1
            case .centimetre: 2.54
            case .metre: 0.0254
            }
        }
    }

    let horizontal: UInt32
    let vertical: UInt32
    let unit: Unit

    init(horizontal: UInt32, vertical: UInt32, unit: Unit) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.unit = unit
    }

    /// The whole numbers next to a density; `nil` where they are beyond those that fit.
    init?(_ density: PixelDensity, unit: Unit, limit: UInt32) {
        let (x, y) = (Self.count(density.horizontal, unit), Self.count(density.vertical, unit))
        guard (1...Double(limit)).contains(x), (1...Double(limit)).contains(y) else { return nil }
        self.init(horizontal: UInt32(x), vertical: UInt32(y), unit: unit)
    }

    /// What a JFIF header says; `nil` where it gives no unit, but only a pixel's shape.
    init?(jfifUnit: Int32, x: UInt16, y: UInt16) {
        guard let unit = jfifUnit == 1 ? Unit.inch : jfifUnit == 2 ? .centimetre : nil else { return nil }
        self.init(horizontal: UInt32(x), vertical: UInt32(y), unit: unit)
    }

    var jfifUnit: Int32 { unit == .inch ? 1 : 2 }

    /// For a JFIF header: per centimetre where that is nearer.
    static func jfif(_ density: PixelDensity) -> HeaderDensity? {
        let candidates = [Unit.inch, .centimetre].compactMap { HeaderDensity(density, unit: $0, limit: 65_535) }
        return candidates.min { $0.distance(to: density) < $1.distance(to: density) }
    }

    /// For a `pHYs` chunk.
    static func png(_ density: PixelDensity) -> HeaderDensity? {
        HeaderDensity(density, unit: .metre, limit: UInt32(Int32.max))
    }

    /// What it means; `nil` where nobody can mean it.
    var density: PixelDensity? {
        PixelDensity(horizontal: Self.perInch(horizontal, unit), vertical: Self.perInch(vertical, unit))
    }

    /// What a file means by its header and its Exif data: the header's density, or the other where it is the same but finer.
    static func density(header: HeaderDensity?, exif: PixelDensity?) -> PixelDensity? {
        guard let header, let density = header.density else { return exif }
        guard let exif, header.isNext(to: exif) else { return density }
        return exif
    }

    /// Whether these are the whole numbers that a density is rounded to, up or down where it is half-way.
    private func isNext(to density: PixelDensity) -> Bool {
        abs(density.horizontal / unit.perInch - Double(horizontal)) < 0.500_001
            && abs(density.vertical / unit.perInch - Double(vertical)) < 0.500_001
    }

    private static func count(_ perInch: Double, _ unit: Unit) -> Double { (perInch / unit.perInch).rounded() }

    /// A whole number of pixels per inch is what is meant by the whole number per metre next to it.
    private static func perInch(_ count: UInt32, _ unit: Unit) -> Double {
        let exact = Double(count) * unit.perInch
        return unit == .metre && Self.count(exact.rounded(), unit) == Double(count) ? exact.rounded() : exact
    }

    private func distance(to density: PixelDensity) -> Double {
        guard let own = self.density else { return .infinity }
        return abs(own.horizontal / density.horizontal - 1) + abs(own.vertical / density.vertical - 1)
    }
}

extension ImageMetadata {
    /// What a file's headers and its Exif data say together, of the picture turned upright.
    init(exif: ExifFacts, density header: HeaderDensity?, gamma: Double? = nil) {
        let orientation = exif.orientation ?? .up
        let stored = HeaderDensity.density(header: header, exif: exif.density)
        self.init(
            storedOrientation: orientation, captureDate: exif.captureDate, position: exif.position,
            density: orientation.isTransposing ? stored?.transposed : stored, gamma: gamma)
    }
}

/// The colours of a picture that has at most 256 of them, as a palette (PNG 3rd edition, 11.2.2).
///
/// They are in the order of their brightness, so that neighbouring pixels have indices that differ little, which filters make use
/// of. Those that are not opaque come first, so that few alphas are written.
struct PNGPalette: Equatable {
    /// Red, green, blue, alpha of each entry, from the highest byte down.
    let colours: [UInt32]
    /// The number of alphas to write.
    let alphas: Int
    /// A hash table of colours: an index into `colours`, or -1.
    private let slots: [Int16]

    /// - Returns: `nil` for samples of 16 bits, and for more than 256 colours; found out after a few rows of a photo.
    init?(_ image: Image) {
        guard !image.format.isDeep, let found = ColourTable(image)?.colours else { return nil }
        colours = found.sorted { Self.rank($0) < Self.rank($1) }
        alphas = colours.prefix { $0 & 255 < 255 }.count
        var slots = [Int16](repeating: -1, count: ColourTable.slotCount)
        for (index, colour) in colours.enumerated() {
            var slot = ColourTable.slot(of: colour)
            while slots[slot] >= 0 { slot = ColourTable.next(slot) }
            slots[slot] = Int16(index)
        }
        self.slots = slots
    }

    /// The number of bits that an index takes.
    var bits: Int { colours.count <= 2 ? 1 : colours.count <= 4 ? 2 : colours.count <= 16 ? 4 : 8 }

    /// The entries' bytes.
    var entries: [UInt8] {
        colours.flatMap { colour in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) } }
    }

    /// Puts the indices of a row of pixels where these begin.
    func index(_ row: UnsafeMutablePointer<UInt8>, count: Int, _ format: PixelFormat) {
        slots.withUnsafeBufferPointer { slots in
            colours.withUnsafeBufferPointer { colours in
                var (newest, index): (UInt32, Int16) = (colours[0], 0)
                for x in 0..<count {
                    let colour = ColourTable.colour(row + (x &* format.channels), format)
                    if colour != newest {
                        var slot = ColourTable.slot(of: colour)
                        while slots[slot] >= 0, colours[Int(slots[slot])] != colour { slot = ColourTable.next(slot) }
                        (newest, index) = (colour, max(0, slots[slot]))
                    }
                    row[x] = UInt8(truncatingIfNeeded: index)
                }
            }
        }
    }

    /// Opaque ones behind the others, then by brightness.
    private static func rank(_ colour: UInt32) -> UInt64 {
        let (red, green, blue) = (colour >> 24, colour >> 16 & 255, colour >> 8 & 255)
        let luma = UInt64(19_595 * red + 38_470 * green + 7_471 * blue)
        return (colour & 255 == 255 ? 1 << 63 : 0) | luma << 32 | UInt64(colour)
    }
}

/// Up to 256 colours, found by open addressing.
private struct ColourTable {
    static let slotCount = 1024
    private(set) var colours: [UInt32] = []
    private var slots = [Int16](repeating: -1, count: slotCount)

    /// - Returns: `nil` where there are more.
    init?(_ image: Image) {
        let isFull = image.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return true }
            var newest: UInt32?
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let pixel = base + (y &* image.bytesPerRow &+ x &* image.format.channels)
                    let colour = Self.colour(pixel, image.format)
                    guard colour == newest || insert(colour) else { return true }
                    newest = colour
                }
            }
            return false
        }
        if isFull { return nil }
    }

    private mutating func insert(_ colour: UInt32) -> Bool {
        var slot = Self.slot(of: colour)
        while slots[slot] >= 0, colours[Int(slots[slot])] != colour { slot = Self.next(slot) }
        guard slots[slot] < 0 else { return true }
        guard colours.count < 256 else { return false }
        slots[slot] = Int16(colours.count)
        colours.append(colour)
        return true
    }

    @inline(__always)
    static func slot(of colour: UInt32) -> Int { Int((colour &* 0x9E37_79B1) >> 22) }

    @inline(__always)
    static func next(_ slot: Int) -> Int { (slot &+ 1) & (slotCount &- 1) }

    @inline(__always)
    static func colour(_ pixel: UnsafePointer<UInt8>, _ format: PixelFormat) -> UInt32 {
        let alpha = format.hasAlpha ? UInt32(pixel[format.channels - 1]) : 255
        guard !format.isGrey else { return UInt32(pixel[0]) &* 0x0101_0100 | alpha }
        return UInt32(pixel[0]) << 24 | UInt32(pixel[1]) << 16 | UInt32(pixel[2]) << 8 | alpha
    }
}

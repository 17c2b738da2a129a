/// A picture of few colours as indices into a palette (PNG 3rd edition, 11.2.2).
struct PNGPalette {
    /// Red, green, blue, alpha of each entry; those that are not opaque come first, so that few alphas are written.
    private(set) var entries: [UInt8] = []
    /// How many alphas are to be written. At least one where the picture has alpha, so that it has afterwards.
    private(set) var alphas = 0
    /// A byte for each pixel, without padding.
    private(set) var indices: [UInt8] = []

    var count: Int { entries.count / 4 }

    /// - Returns: `nil` for grey pictures, which need none, for samples of 16 bits, and for more than 256 colours; found out after
    ///   a few rows of a photo.
    init?(_ image: Image) {
        guard !image.format.isGrey, !image.format.isDeep else { return nil }
        var table = ColourTable()
        indices.reserveCapacity(image.width * image.height)
        let channels = image.format.channels
        for y in 0..<image.height {
            var at = y * image.bytesPerRow
            for _ in 0..<image.width {
                let alpha = channels == 4 ? UInt32(image.bytes[at + 3]) : 255
                let colour =
                    UInt32(image.bytes[at]) << 24 | UInt32(image.bytes[at + 1]) << 16 | UInt32(image.bytes[at + 2]) << 8
                    | alpha
                guard let index = table.index(of: colour) else { return nil }
                indices.append(index)
                at += channels
            }
        }
        let order = table.colours.indices.sorted { left, right in
            let (first, second) = (table.colours[left] & 255 == 255, table.colours[right] & 255 == 255)
            return first == second ? left < right : !first
        }
        var places = [UInt8](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() {
            places[index] = UInt8(place)
            let colour = table.colours[index]
            entries += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> $0) }
            if colour & 255 != 255 { alphas += 1 }
        }
        if image.format.hasAlpha { alphas = max(1, alphas) }
        for index in indices.indices { indices[index] = places[Int(indices[index])] }
    }
}

/// Up to 256 colours, found by open addressing.
private struct ColourTable {
    private(set) var colours: [UInt32] = []
    /// An index into `colours`, or -1.
    private var slots = [Int16](repeating: -1, count: 1024)
    private var newest: (colour: UInt32, index: UInt8)?

    /// `nil` when there is no room for another.
    mutating func index(of colour: UInt32) -> UInt8? {
        if let newest, newest.colour == colour { return newest.index }
        var slot = Int((colour &* 0x9E37_79B1) >> 22)
        while slots[slot] >= 0, colours[Int(slots[slot])] != colour { slot = (slot + 1) & 1023 }
        if slots[slot] < 0 {
            guard colours.count < 256 else { return nil }
            slots[slot] = Int16(colours.count)
            colours.append(colour)
        }
        let index = UInt8(truncatingIfNeeded: slots[slot])
        newest = (colour, index)
        return index
    }
}

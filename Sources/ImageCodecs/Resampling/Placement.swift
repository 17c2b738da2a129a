/// A part of a picture, in its samples and fractions of them.
struct Region: Sendable, Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// All of a picture.
    init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }

    init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    func scaled(by share: Double) -> Region {
        Region(x: x * share, y: y * share, width: width * share, height: height * share)
    }
}

/// Which part of a picture is shown, and at what size: decided once the picture's size is known.
struct Placement: Sendable, Hashable {
    let region: Region
    let output: PixelSize

    /// - Parameters:
    ///   - picture: the size of the picture, upright.
    ///   - wanted: the size of the box; `nil` for the picture's own. A side less than 1 counts as 1.
    init(of picture: PixelSize, in wanted: PixelSize?, mode: ContentMode, enlarges: Bool) {
        guard let wanted else {
            region = Region(picture)
            output = picture
            return
        }
        let box = PixelSize(width: Self.side(wanted.width), height: Self.side(wanted.height))
        switch mode {
        case .fit:
            region = Region(picture)
            output = picture.fitted(in: box, enlarges: enlarges)
        case .exact:
            region = Region(picture)
            output =
                enlarges
                ? box : PixelSize(width: min(box.width, picture.width), height: min(box.height, picture.height))
        case .fill(let gravity):
            let scale = max(
                Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
            let used = enlarges ? scale : min(1, scale)
            let across = Self.cut(picture.width, to: box.width, scale: used, share: gravity.fromLeft)
            let down = Self.cut(picture.height, to: box.height, scale: used, share: gravity.fromTop)
            region = Region(x: across.start, y: down.start, width: across.extent, height: down.extent)
            output = PixelSize(width: across.output, height: down.output)
        }
    }

    private init(region: Region, output: PixelSize) {
        self.region = region
        self.output = output
    }

    /// The same of the picture as it is stored, before it is turned.
    func stored(_ orientation: Orientation, size: PixelSize) -> Placement {
        let (across, down) =
            orientation.isTransposing
            ? ((region.y, region.height), (region.x, region.width))
            : ((region.x, region.width), (region.y, region.height))
        let x = orientation.reversesColumns ? Double(size.width) - across.0 - across.1 : across.0
        let y = orientation.reversesRows ? Double(size.height) - down.0 - down.1 : down.0
        return Placement(
            region: Region(x: max(0, x), y: max(0, y), width: across.1, height: down.1),
            output: orientation.applied(to: output))
    }

    func scaled(by share: Double) -> Placement {
        Placement(region: region.scaled(by: share), output: output)
    }

    /// Pixels stored per pixel wanted, along the side that is reduced less.
    var ratio: Double { min(region.width / Double(output.width), region.height / Double(output.height)) }

    /// The size that all of a picture would have.
    func whole(of stored: PixelSize) -> PixelSize {
        PixelSize(
            width: Int((Double(stored.width) / (region.width / Double(output.width))).rounded()),
            height: Int((Double(stored.height) / (region.height / Double(output.height))).rounded()))
    }

    private static func side(_ side: Int) -> Int { max(1, min(side, Int(Int32.max))) }

    /// One side of a picture that fills a box.
    private static func cut(
        _ side: Int, to box: Int, scale: Double, share: Double
    ) -> (start: Double, extent: Double, output: Int) {
        let scaled = Double(side) * scale
        guard scaled > Double(box) + 1e-6 else {
            return (0, Double(side), max(1, min(box, Int(scaled.rounded()))))
        }
        let extent = Double(box) / scale
        let start = (Double(side) - extent) * share
        // Pixels that are not scaled stay where they are.
        return (scale == 1 ? start.rounded(.down) : start, extent, box)
    }
}

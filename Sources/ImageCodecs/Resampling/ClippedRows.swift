import CJPEG

/// Eight rows of luma, and the rows of colour that belong to them, with what is beyond 0 to 255 cut off of their colours: that of
/// saturated edges and text in colour, and of shadows.
///
/// A decode to RGB cuts it off pixel by pixel before anything is averaged. What is left are colours that there are, and these a
/// reduction may convert last.
final class ClippedRows {
    /// Rows of luma that are worked on together.
    static let count = 8
    /// Columns in front of the first and behind the last: neighbours, and the rest of a segment.
    private static let margin = (front: 16, back: 80)

    private let layout: SampleLayout
    private let columns: (luma: Range<Int>, colour: Range<Int>)
    private let stride: (luma: Int, colour: Int)
    private let luma: UnsafeMutablePointer<UInt8>
    /// Blue and red: with a row above and below, and as they become.
    private let stored: UnsafeMutablePointer<UInt8>
    private let clipped: UnsafeMutablePointer<UInt8>
    private let planeBytes: Int

    /// - Parameter columns: the columns of luma that are looked at.
    init(layout: SampleLayout, columns: Range<Int>) {
        self.layout = layout
        let first = columns.lowerBound / 2 * 2
        // Two more than are looked at, from which colour is interpolated.
        let end = min(layout.luma.size.width, columns.upperBound + 4)
        let colour = max(0, first / layout.across - 2)..<min(layout.colour.size.width, end / layout.across + 1)
        self.columns = (max(0, first - 2 * layout.across)..<end, colour)
        stride = (
            Self.margin.front + self.columns.luma.count + Self.margin.back,
            Self.margin.front + colour.count + Self.margin.back
        )
        planeBytes = stride.colour * (Self.count + 2)
        luma = .allocate(capacity: stride.luma * Self.count)
        luma.initialize(repeating: 0, count: stride.luma * Self.count)
        stored = .allocate(capacity: 2 * planeBytes)
        stored.initialize(repeating: 0, count: 2 * planeBytes)
        clipped = .allocate(capacity: 2 * planeBytes)
        clipped.initialize(repeating: 0, count: 2 * planeBytes)
    }

    deinit {
        luma.deallocate()
        stored.deallocate()
        clipped.deallocate()
    }

    /// A row of luma, of the eight, from the picture's first column on.
    func luma(_ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(luma + index * stride.luma + Self.margin.front - columns.luma.lowerBound)
    }

    /// The same of blue (0) or red (1).
    func colour(_ plane: Int, _ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(clipped + plane * planeBytes + place(index) - columns.colour.lowerBound)
    }

    private func place(_ index: Int) -> Int { (index + 1) * stride.colour + Self.margin.front }

    /// Fetches rows, and clips them.
    ///
    /// - Parameter rows: of luma; the first is an even one.
    func fetch(_ rows: Range<Int>, from bands: SampleBands) {
        for row in rows {
            (luma + (row - rows.lowerBound) * stride.luma + Self.margin.front).update(
                from: bands.luma(row) + columns.luma.lowerBound, count: columns.luma.count)
        }
        let first = rows.lowerBound / layout.down
        let count = (rows.count + layout.down - 1) / layout.down
        let last = min(layout.colour.size.height, bands.colourRows) - 1
        for plane in 0..<2 {
            for index in -1...count {
                let row = bands.colour(plane, max(0, min(last, first + index)))
                fetch(row, to: stored + plane * planeBytes + place(index))
                if index >= 0, index < count {
                    (clipped + plane * planeBytes + place(index)).update(
                        from: row + columns.colour.lowerBound, count: columns.colour.count)
                }
            }
        }
        clip(rows.count)
    }

    /// Copies a row of colour; on either side the outermost sample is repeated.
    private func fetch(_ row: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>) {
        let count = columns.colour.count
        out.update(from: row + columns.colour.lowerBound, count: count)
        out[-1] = out[0]
        out[count] = out[count - 1]
    }

    private func clip(_ rows: Int) {
        var clip = cjpeg_clip()
        clip.luma = luma + Self.margin.front
        clip.luma_stride = stride.luma
        clip.blue = UnsafePointer(stored + place(0))
        clip.red = UnsafePointer(stored + planeBytes + place(0))
        clip.clipped_blue = clipped + place(0)
        clip.clipped_red = clipped + planeBytes + place(0)
        clip.colour_stride = stride.colour
        clip.rows = Int32(rows)
        clip.width = columns.luma.count
        clip.across = Int32(layout.across)
        clip.down = Int32(layout.down)
        clip.is_smooth = layout.isSmooth ? 1 : 0
        cjpeg_clip_colours(&clip)
    }
}

/// How the components of a picture in luma and two colours are stored.
struct SampleLayout {
    /// A component's samples, and how many rows of it come at once.
    struct Component {
        let size: PixelSize
        let stride: Int
        let rows: Int
    }

    let luma: Component
    let colour: Component
    /// Luma samples each way for which there is one of colour: 1 or 2.
    let across: Int
    let down: Int
    /// Whether colour is interpolated, rather than repeated.
    let isSmooth: Bool

    /// How colour is enlarged along a row, and down a column.
    var enlargedAcross: Enlargement { Enlargement(factor: across, count: colour.size.width, isSmooth: isSmooth) }
    var enlargedDown: Enlargement { Enlargement(factor: down, count: colour.size.height, isSmooth: isSmooth) }

    /// Bands that are kept: so many that the last 32 rows are there.
    var bandsKept: Int { max(2, (32 + luma.rows - 1) / luma.rows) }
}

/// The last rows of a picture in luma and two colours, as they are decoded: a band of each component at once.
final class SampleBands {
    let layout: SampleLayout
    /// Luma, blue, red.
    private let planes: [UnsafeMutablePointer<UInt8>]
    /// Rows are read in vectors that may end behind the last of them.
    private static let slack = 64
    /// Luma's first column that is there, as all before it was left out.
    var firstColumn = 0
    private(set) var count = 0

    init(layout: SampleLayout) {
        self.layout = layout
        planes = [layout.luma, layout.colour, layout.colour].map { component in
            let bytes = component.stride * component.rows * layout.bandsKept + Self.slack
            let plane = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes)
            plane.initialize(repeating: 0, count: bytes)
            return plane
        }
    }

    deinit { for plane in planes { plane.deallocate() } }

    /// Where the next band belongs.
    var next: (luma: UnsafeMutablePointer<UInt8>, blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>) {
        let place = count % layout.bandsKept
        let colour = place * layout.colour.rows * layout.colour.stride
        return (planes[0] + place * layout.luma.rows * layout.luma.stride, planes[1] + colour, planes[2] + colour)
    }

    /// Counts a band that has been written there.
    func append() { count += 1 }

    /// Rows that have come.
    var lumaRows: Int { min(layout.luma.size.height, count * layout.luma.rows) }
    var colourRows: Int { min(layout.colour.size.height, count * layout.colour.rows) }

    /// A row of luma, from the picture's first column on.
    func luma(_ row: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(planes[0]) + row % (layout.bandsKept * layout.luma.rows) * layout.luma.stride - firstColumn
    }

    /// The same of blue (0) or red (1).
    func colour(_ plane: Int, _ row: Int) -> UnsafePointer<UInt8> {
        let line = row % (layout.bandsKept * layout.colour.rows)
        return UnsafePointer(planes[1 + plane]) + line * layout.colour.stride - firstColumn / layout.across
    }
}

/// One of the seven passes in which an interlaced PNG comes: each pixel is in exactly one (PNG 3rd edition, 8.2).
struct Adam7Pass {
    static let all = [
        Adam7Pass(x: 0, across: 8, y: 0, down: 8), Adam7Pass(x: 4, across: 8, y: 0, down: 8),
        Adam7Pass(x: 0, across: 4, y: 4, down: 8), Adam7Pass(x: 2, across: 4, y: 0, down: 4),
        Adam7Pass(x: 0, across: 2, y: 2, down: 4), Adam7Pass(x: 1, across: 2, y: 0, down: 2),
        Adam7Pass(x: 0, across: 1, y: 1, down: 2),
    ]

    /// The first pixel's column, and how far the next one is from it.
    let x: Int
    let across: Int
    /// The first row, and how far the next one is from it.
    let y: Int
    let down: Int

    /// Its pixels in a row, and its rows. A pass without any is not stored.
    func size(in picture: PixelSize) -> PixelSize {
        PixelSize(
            width: (picture.width - x + across - 1) / across, height: (picture.height - y + down - 1) / down)
    }

    func isEmpty(in picture: PixelSize) -> Bool {
        let size = size(in: picture)
        return size.width == 0 || size.height == 0
    }

    /// The distance, each way, between pixels that have come with this pass or before it: all of a grid.
    static func grid(after passes: Int) -> (across: Int, down: Int) {
        (across: [8, 4, 4, 2, 2, 1, 1][max(0, passes - 1)], down: [8, 8, 4, 4, 2, 2, 1][max(0, passes - 1)])
    }

    /// Puts a row of this pass where its pixels belong in a row of the picture.
    func spread(
        _ row: UnsafePointer<UInt8>, count: Int, pixelBytes: Int, into line: UnsafeMutablePointer<UInt8>
    ) {
        let (source, target) = (UnsafeRawPointer(row), UnsafeMutableRawPointer(line + x * pixelBytes))
        switch pixelBytes {
        case 1: spread(UInt8.self, 1, source, count, target)
        case 2: spread(UInt16.self, 1, source, count, target)
        case 3: spread(UInt8.self, 3, source, count, target)
        case 4: spread(UInt32.self, 1, source, count, target)
        case 6: spread(UInt16.self, 3, source, count, target)
        default: spread(UInt64.self, 1, source, count, target)
        }
    }

    /// - Parameter parts: of a pixel, each as wide as a `Part`.
    @inline(__always)
    private func spread<Part: BitwiseCopyable>(
        _ part: Part.Type, _ parts: Int, _ source: UnsafeRawPointer, _ count: Int, _ target: UnsafeMutableRawPointer
    ) {
        let size = MemoryLayout<Part>.size
        let advance = across &* parts &* size
        var (from, to) = (source, target)
        for _ in 0..<count {
            for index in 0..<parts {
                to.storeBytes(
                    of: from.loadUnaligned(fromByteOffset: index &* size, as: part), toByteOffset: index &* size,
                    as: part)
            }
            from += parts &* size
            to += advance
        }
    }
}

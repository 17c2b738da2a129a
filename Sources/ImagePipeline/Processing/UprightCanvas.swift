/// Takes rows as they are stored, and puts each straight where it belongs in the upright picture.
struct UprightCanvas {
    let size: PixelSize
    let format: PixelFormat
    private let orientation: Orientation
    private let stored: PixelSize
    private var bytes: [UInt8]
    private var rowsWritten = 0

    /// - Parameter stored: the picture's size before it is turned.
    init(stored: PixelSize, format: PixelFormat, orientation: Orientation) {
        self.stored = stored
        self.format = format
        self.orientation = orientation
        size = orientation.applied(to: stored)
        bytes = [UInt8](repeating: 0, count: stored.width * stored.height * format.bytesPerPixel)
    }

    /// Writes the next stored row. Rows beyond the last are ignored.
    mutating func append(_ row: UnsafePointer<UInt8>) {
        guard rowsWritten < stored.height else { return }
        let pixelBytes = format.bytesPerPixel
        let line = orientation.reversesRows ? stored.height - 1 - rowsWritten : rowsWritten
        let rowBytes = size.width * pixelBytes
        let start = orientation.isTransposing ? line * pixelBytes : line * rowBytes
        let step = orientation.isTransposing ? rowBytes : pixelBytes
        let count = stored.width
        let isReversed = orientation.reversesColumns
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            if step == pixelBytes, !isReversed {
                (base + start).update(from: row, count: count * pixelBytes)
                return
            }
            var at = isReversed ? base + start + (count - 1) * step : base + start
            let advance = isReversed ? -step : step
            for x in 0..<count {
                for byte in 0..<pixelBytes { at[byte] = row[x &* pixelBytes &+ byte] }
                at += advance
            }
        }
        rowsWritten += 1
    }

    /// The picture; rows that have not been written are black (or clear).
    consuming func image(iccProfile: [UInt8]?, metadata: ImageMetadata) -> Image {
        Image(unpadded: bytes, size: size, format: format, iccProfile: iccProfile, metadata: metadata)
    }
}

/// Takes rows as they are stored, and puts each straight where it belongs in the upright picture.
struct UprightCanvas {
    let size: PixelSize
    let format: PixelFormat
    let orientation: Orientation
    /// The picture's size before it is turned.
    let stored: PixelSize
    /// The upright picture's; of one that is not turned, only those of rows that are there: to clear the memory of a large picture takes
    /// long, in one step.
    var bytes: [UInt8] = []
    private let count: Int
    private(set) var rowsWritten = 0

    /// - Parameter stored: the picture's size before it is turned.
    init(stored: PixelSize, format: PixelFormat, orientation: Orientation) {
        self.stored = stored
        self.format = format
        self.orientation = orientation
        size = orientation.applied(to: stored)
        count = stored.width * stored.height * format.bytesPerPixel
        if orientation == .up {
            bytes.reserveCapacity(count)
            bytes.withUnsafeBytes { LargePages.prefer(at: $0.baseAddress, count) }
        } else {
            bytes = [UInt8](unsafeUninitializedCapacity: count) { [count] buffer, filled in
                LargePages.prefer(at: buffer.baseAddress, count)
                buffer.initialize(repeating: 0)
                filled = count
            }
        }
    }

    /// Makes rows that have not been written black, or clear.
    mutating func clearRest() {
        guard bytes.count < count else { return }
        let zeros = [UInt8](repeating: 0, count: min(count - bytes.count, 64 << 10))
        while bytes.count < count { bytes.append(contentsOf: zeros.prefix(count - bytes.count)) }
    }

    /// Writes the next stored row. Rows beyond the last are ignored.
    mutating func append(_ row: UnsafePointer<UInt8>) {
        guard rowsWritten < stored.height else { return }
        put(row, at: rowsWritten)
        rowsWritten += 1
    }

    /// Shows a row of something else where the picture's own has not been written. Others are ignored.
    mutating func lay(_ row: UnsafePointer<UInt8>, at y: Int) {
        if y >= rowsWritten, y < stored.height { put(row, at: y) }
    }

    private mutating func put(_ row: UnsafePointer<UInt8>, at y: Int) {
        let pixelBytes = format.bytesPerPixel
        let count = stored.width
        let (start, advance) = line(y)
        if start == bytes.count, advance == pixelBytes {
            return bytes.append(contentsOf: UnsafeBufferPointer(start: row, count: count * pixelBytes))
        }
        clearRest()
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            if advance == pixelBytes {
                (base + start).update(from: row, count: count * pixelBytes)
                return
            }
            var at = base + start
            for x in 0..<count {
                for byte in 0..<pixelBytes { at[byte] = row[x &* pixelBytes &+ byte] }
                at += advance
            }
        }
    }

    /// Where the first pixel of a stored row lies in `bytes`, and how far its next one is from it.
    func line(_ y: Int) -> (start: Int, advance: Int) {
        let pixelBytes = format.bytesPerPixel
        let line = orientation.reversesRows ? stored.height - 1 - y : y
        let rowBytes = size.width * pixelBytes
        let start = orientation.isTransposing ? line * pixelBytes : line * rowBytes
        let step = orientation.isTransposing ? rowBytes : pixelBytes
        guard orientation.reversesColumns else { return (start, step) }
        return (start + (stored.width - 1) * step, -step)
    }

    /// The picture. Its rest has been cleared, where rows have not been written.
    consuming func image(iccProfile: [UInt8]?, metadata: ImageMetadata) -> Image {
        Image(unpadded: bytes, size: size, format: format, iccProfile: iccProfile, metadata: metadata)
    }
}

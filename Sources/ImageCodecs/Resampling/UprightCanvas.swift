/// Takes rows as they are stored, and puts each straight where it belongs in the upright picture.
struct UprightCanvas {
    let size: PixelSize
    let format: PixelFormat
    let orientation: Orientation
    /// The picture's size before it is turned.
    let stored: PixelSize
    /// The upright picture's. Of one that is not turned, rows are unset until they are written or cleared, which nobody may see: to clear the
    /// memory of a large picture takes long, in one step.
    var bytes: [UInt8]
    private var isCleared: Bool
    private(set) var rowsWritten = 0

    /// - Parameter stored: the picture's size before it is turned.
    init(stored: PixelSize, format: PixelFormat, orientation: Orientation) {
        self.stored = stored
        self.format = format
        self.orientation = orientation
        size = orientation.applied(to: stored)
        isCleared = orientation != .up
        let count = stored.width * stored.height * format.bytesPerPixel
        bytes = [UInt8](unsafeUninitializedCapacity: count) { [isCleared] buffer, filled in
            LargePages.prefer(at: buffer.baseAddress, count)
            if isCleared { buffer.initialize(repeating: 0) }
            filled = count
        }
    }

    /// Makes rows that have not been written black, or clear.
    mutating func clearRest() {
        guard !isCleared else { return }
        isCleared = true
        let written = rowsWritten * rowBytes
        guard written < bytes.count else { return }
        bytes.withUnsafeMutableBufferPointer { $0[written...].update(repeating: 0) }
    }

    /// The bytes of a row of the upright picture.
    private var rowBytes: Int { size.width * format.bytesPerPixel }

    /// Writes the next stored row. Rows beyond the last are ignored.
    mutating func append(_ row: UnsafePointer<UInt8>) {
        guard rowsWritten < stored.height else { return }
        put(row, at: rowsWritten)
        rowsWritten += 1
    }

    /// Has the next stored rows made where they belong, side by side.
    ///
    /// - Returns: whether that is done: of a picture that is turned a row may lie in pieces, or before the last one.
    mutating func append(rows: Int, made make: (UnsafeMutablePointer<UInt8>) -> Void) -> Bool {
        guard orientation == .up, rowsWritten + rows <= stored.height else { return false }
        let start = rowsWritten * rowBytes
        bytes.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { make(base + start) }
        }
        rowsWritten += rows
        return true
    }

    /// Shows a row of something else where the picture's own has not been written. Others are ignored.
    mutating func lay(_ row: UnsafePointer<UInt8>, at y: Int) {
        guard y >= rowsWritten, y < stored.height else { return }
        clearRest()
        put(row, at: y)
    }

    private mutating func put(_ row: UnsafePointer<UInt8>, at y: Int) {
        let pixelBytes = format.bytesPerPixel
        let count = stored.width
        let (start, advance) = line(y)
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
        let start = orientation.isTransposing ? line * pixelBytes : line * rowBytes
        let step = orientation.isTransposing ? rowBytes : pixelBytes
        guard orientation.reversesColumns else { return (start, step) }
        return (start + (stored.width - 1) * step, -step)
    }

    /// The picture, clear where rows have not been written.
    consuming func image(iccProfile: [UInt8]?, metadata: ImageMetadata) -> Image {
        clearRest()
        return Image(unpadded: bytes, size: size, format: format, iccProfile: iccProfile, metadata: metadata)
    }
}

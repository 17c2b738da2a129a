extension Image {
    /// The picture in a format, each pixel of which `body` may change.
    ///
    /// - Parameter body: gets the samples of a pixel, and where it is.
    func rewritten(as target: PixelFormat, _ body: (_ pixel: PixelSamples, _ x: Int, _ y: Int) -> Void) -> Image {
        let image = converted(to: target)
        let rowBytes = image.width * target.bytesPerPixel
        let out = [UInt8](unsafeUninitializedCapacity: rowBytes * image.height) { buffer, count in
            count = 0
            guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            for y in 0..<image.height {
                let row = image.bytes[(y * image.bytesPerRow)...].prefix(rowBytes)
                count += UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: row)
                for x in 0..<image.width {
                    let pixel = PixelSamples(
                        start: base + y * rowBytes + x * target.bytesPerPixel, isDeep: target.isDeep)
                    body(pixel, x, y)
                }
            }
        }
        return Image(
            unpadded: out, size: image.size, format: target, iccProfile: image.iccProfile, metadata: image.metadata)
    }
}

/// The samples of one pixel while it is rewritten, whatever their type.
struct PixelSamples {
    fileprivate let start: UnsafeMutableRawPointer
    fileprivate let isDeep: Bool

    /// What a sample of 8 bits is to be multiplied by.
    var unit: Int { isDeep ? 257 : 1 }

    subscript(channel: Int) -> Int {
        get { isDeep ? Int(MutableSamples<UInt16>(start)[channel]) : Int(MutableSamples<UInt8>(start)[channel]) }
        nonmutating set {
            if isDeep {
                MutableSamples<UInt16>(start)[channel] = UInt16(truncatingIfNeeded: newValue)
            } else {
                MutableSamples<UInt8>(start)[channel] = UInt8(truncatingIfNeeded: newValue)
            }
        }
    }
}

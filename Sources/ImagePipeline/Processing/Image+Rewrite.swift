extension Image {
    /// The picture in a format, each pixel of which `body` may change.
    ///
    /// - Parameter body: gets the samples of a pixel, and where it is.
    func rewritten(
        as target: PixelFormat, _ body: (_ pixel: UnsafeMutablePointer<UInt8>, _ x: Int, _ y: Int) -> Void
    ) -> Image {
        let image = converted(to: target)
        let rowBytes = image.width * target.channels
        let out = [UInt8](unsafeUninitializedCapacity: rowBytes * image.height) { buffer, count in
            count = 0
            guard let base = buffer.baseAddress else { return }
            for y in 0..<image.height {
                let row = image.bytes[(y * image.bytesPerRow)...].prefix(rowBytes)
                count += UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: row)
                for x in 0..<image.width { body(base + y * rowBytes + x * target.channels, x, y) }
            }
        }
        return Image(
            unpadded: out, size: image.size, format: target, iccProfile: image.iccProfile, metadata: image.metadata)
    }

    /// The format with alpha that has the same colours.
    var formatWithAlpha: PixelFormat { format.isGrey ? .greyAlpha8 : .rgba8 }
}

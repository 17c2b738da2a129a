extension Image {
    /// Returns the part of the picture within `rect`, as far as the picture covers it; `nil` where it covers nothing of
    /// it.
    ///
    /// - Parameter rect: The rectangle in pixels.
    public func cropped(to rect: PixelRect) -> Image? {
        func clip(_ start: Int, _ length: Int, _ side: Int) -> Range<Int>? {
            let (end, overflow) = start.addingReportingOverflow(length)
            let (low, high) = (max(0, start), min(side, overflow ? (length > 0 ? .max : .min) : end))
            return low < high ? low..<high : nil
        }
        guard let columns = clip(rect.x, rect.size.width, width), let rows = clip(rect.y, rect.size.height, height)
        else { return nil }
        let cropped = PixelSize(width: columns.count, height: rows.count)
        if cropped == size { return self }
        let rowBytes = cropped.width * format.bytesPerPixel
        let out = [UInt8](unsafeUninitializedCapacity: rowBytes * cropped.height) { buffer, count in
            count = 0
            for y in rows {
                let start = y * bytesPerRow + columns.lowerBound * format.bytesPerPixel
                let row = bytes[start..<(start + rowBytes)]
                count += UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: row)
            }
        }
        return Image(unpadded: out, size: cropped, format: format, iccProfile: iccProfile, metadata: metadata)
    }
}

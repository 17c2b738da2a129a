extension Orientation {
    /// The orientation that a TIFF structure (an Exif segment after its `Exif\0\0`, or a PNG's `eXIf` chunk) gives for the
    /// picture itself; `nil` if it gives none, or is damaged.
    ///
    /// Only IFD0 is asked: IFD1's tag is the thumbnail's. (Exif 2.32, 4.5.2; TIFF 6.0, 2.)
    init?(exif bytes: UnsafeBufferPointer<UInt8>) {
        let tiff = TIFFReader(bytes: bytes)
        guard let directory = tiff.firstDirectory, let entries = tiff.uint16(at: directory) else { return nil }
        for index in 0..<Int(entries) {
            let entry = directory + 2 + index * 12
            guard let tag = tiff.uint16(at: entry) else { return nil }
            guard tag == 0x0112 else { continue }
            // SHORT, one of them, in the first two bytes of the value field.
            guard tiff.uint16(at: entry + 2) == 3, tiff.uint32(at: entry + 4) == 1,
                let value = tiff.uint16(at: entry + 8)
            else { return nil }
            self.init(rawValue: Int(value))
            return
        }
        return nil
    }
}

/// Where in a TIFF structure (an Exif segment after its `Exif\0\0`) a picture's JPEG thumbnail lies.
struct ExifThumbnail {
    /// Bytes of the structure; all of them are there.
    let range: Range<Int>

    /// IFD1, which IFD0 links to, describes the thumbnail: compression 6 is JPEG, in the bytes that two more tags tell.
    /// (Exif 2.32, 4.5.5 and 4.6.4.) Nobody goes on from there, so that a cycle is harmless.
    ///
    /// - Returns: `nil` if there is none, or if what is said of it cannot be.
    init?(exif bytes: UnsafeBufferPointer<UInt8>) {
        let tiff = TIFFReader(bytes: bytes)
        guard let main = tiff.firstDirectory, let entries = tiff.uint16(at: main),
            let link = tiff.uint32(at: main &+ 2 &+ 12 &* Int(entries)), link > 0
        else { return nil }
        let directory = TIFFDirectory(tiff, at: Int(exactly: link))
        // It is to be a SHORT; some write a LONG.
        guard directory.short(.compression) == 6 || directory.offset(.compression) == 6,
            let start = directory.offset(.thumbnailOffset),
            let count = directory.offset(.thumbnailLength), start > 0, count > 0, start <= bytes.count,
            count <= bytes.count - start
        else { return nil }
        range = start..<start + count
    }
}

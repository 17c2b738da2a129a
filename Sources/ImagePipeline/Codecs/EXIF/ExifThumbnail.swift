/// Where in a TIFF structure (an Exif segment after its `Exif\0\0`) a picture's JPEG thumbnail lies.
struct ExifThumbnail {
    /// Bytes of the structure; all of them are there.
    let range: Range<Int>

    /// IFD1 describes the thumbnail: compression 6 is JPEG, in the bytes that two more tags tell. (Exif 2.32, 4.5.5 and
    /// 4.6.4.)
    ///
    /// - Returns: `nil` if there is none, or if what is said of it cannot be.
    init?(exif bytes: UnsafeBufferPointer<UInt8>) {
        let tiff = TIFFReader(bytes: bytes)
        guard let main = tiff.firstDirectory, let mainEntries = tiff.uint16(at: main),
            let link = tiff.uint32(at: main + 2 + 12 * Int(mainEntries)), link > 0,
            let entries = tiff.uint16(at: Int(link))
        else { return nil }
        var (start, count) = (0, 0)
        for index in 0..<Int(entries) {
            let entry = Int(link) + 2 + 12 * index
            guard let tag = tiff.uint16(at: entry) else { return nil }
            switch tag {
            case 0x0103 where Self.value(tiff, entry) != 6: return nil
            case 0x0201: start = Self.value(tiff, entry) ?? 0
            case 0x0202: count = Self.value(tiff, entry) ?? 0
            default: break
            }
        }
        guard start > 0, count > 0, start <= bytes.count, count <= bytes.count - start else { return nil }
        range = start..<start + count
    }

    /// A SHORT or a LONG, one of them.
    private static func value(_ tiff: TIFFReader, _ entry: Int) -> Int? {
        guard tiff.uint32(at: entry + 4) == 1 else { return nil }
        return switch tiff.uint16(at: entry + 2) {
        case 3: tiff.uint16(at: entry + 8).map(Int.init)
        case 4: tiff.uint32(at: entry + 8).map(Int.init)
        default: nil
        }
    }
}

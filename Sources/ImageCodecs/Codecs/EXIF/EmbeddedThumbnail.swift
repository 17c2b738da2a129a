/// The small picture that came with a large one, of the same shape and turned the same way.
///
/// Nothing of it is ever an error: what is damaged, or does not fit, is not there.
struct EmbeddedThumbnail {
    /// What it shows, as the large one is stored; in the large one's format.
    let image: Image

    /// More pixels, which the 64 KB of an Exif segment could hold, are no thumbnail.
    private static let mostPixels = 1 << 20
    private static let mostWorkingBytes = 1 << 22

    /// - Parameters:
    ///   - bytes: a JPEG. One with a profile or facts of its own is not looked at: cameras write none (DCF 2.0, 3.3.4).
    ///   - stored: the size of the large picture as it is stored; that of the thumbnail is less.
    ///   - format: of the large picture.
    ///   - options: of the large one's decode: its cancellation, its clock and its limits count.
    init?(jpeg bytes: UnsafeBufferPointer<UInt8>, stored: PixelSize, format: PixelFormat, options: DecodeOptions) {
        var inner = DecodeOptions(
            as: Rendition(damage: .refuse), isCancelled: options.isCancelled, clock: options.clock)
        inner.limits = DecodeLimits(
            pixels: min(Self.mostPixels, stored.width * stored.height - 1), outputBytes: 3 * Self.mostPixels,
            workingBytes: min(Self.mostWorkingBytes, options.limits.workingBytes), scans: min(20, options.limits.scans),
            metadataBytes: 0, time: options.limits.time)
        let decoder = JPEGDecoder(options: inner)
        guard (try? decoder.append(UnsafeRawBufferPointer(bytes))) != nil, let decoded = try? decoder.finish(),
            let shown = Self.part(of: decoded, shapedLike: stored), let image = decoded.cropped(to: shown)
        else { return nil }
        self.image = image.converted(to: format)
    }

    /// What of the thumbnail shows the large picture.
    ///
    /// Cameras write 160 × 120 whatever the picture's shape, and black where it has nothing (DCF 2.0, 3.3.4).
    ///
    /// - Returns: `nil` if the shapes differ otherwise: the picture has been turned or cut since.
    private static func part(of thumbnail: Image, shapedLike stored: PixelSize) -> PixelRect? {
        let whole = thumbnail.size
        let scale = min(
            Double(whole.width) / Double(stored.width), Double(whole.height) / Double(stored.height))
        let (width, height) = (Double(stored.width) * scale, Double(stored.height) * scale)
        let columns = middle(of: whole.width, width)
        let rows = middle(of: whole.height, height)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        let shown = PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        return isBlack(thumbnail, around: shown) ? shown : nil
    }

    /// The samples in the middle of a side, whole ones; all of it where no more than rounding is missing.
    private static func middle(of side: Int, _ length: Double) -> Range<Int> {
        guard Double(side) - length > 1.5 else { return 0..<side }
        let low = (Double(side) - length) / 2
        return Int(low.rounded(.up))..<max(Int(low.rounded(.up)), Int((low + length).rounded(.down)))
    }

    /// Whether what lies around a part is black, but for what compression has smeared over its edge.
    private static func isBlack(_ image: Image, around part: PixelRect) -> Bool {
        let (black, smeared) = (16, 2)
        let columns = (part.x - smeared)..<(part.x + part.size.width + smeared)
        let rows = (part.y - smeared)..<(part.y + part.size.height + smeared)
        var (sum, count) = (0, 0)
        for y in 0..<image.height {
            let inside = rows.contains(y) ? columns : 0..<0
            for x in 0..<image.width where !inside.contains(x) {
                guard let pixel = image.pixel(x: x, y: y) else { continue }
                sum += Int(pixel.x) + Int(pixel.y) + Int(pixel.z)
                count += 3
            }
        }
        return sum <= black * count
    }
}

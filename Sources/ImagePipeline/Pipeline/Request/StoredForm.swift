/// The form in which an image is kept on disk as it was shown: decoded, scaled and processed, and encoded anew.
///
/// A ``jpeg(quality:)`` does not give back the image to the bit, and ``Provenance/isLossy`` says so. Of 31 pictures reduced to 256
/// pixels, quality 95 was measured at 40 to 51 dB (median 44, of 25 KB), 90 at 37 to 47 dB (39, 17 KB), 80 at 33 to 43 dB (35, 12 KB); colour
/// is kept at full resolution. Only opaque pictures of 8 bits become a JPEG: images with transparent pixels, of 16 bits or with a gamma of
/// their own become a PNG, which keeps every sample.
public enum StoredForm: Sendable, Hashable {
    /// A JPEG of quality 1 to 100, where the picture allows it, else a PNG.
    case jpeg(quality: Int = 90)
    /// A PNG, compressed at zlib's level 0 to 9: several times as large as a JPEG, and without loss.
    case png(level: Int = 6)

    /// A stable text, for keys of caches.
    var identifier: String {
        switch self {
        case .jpeg(let quality): "jpeg \(quality)"
        case .png(let level): "png \(level)"
        }
    }

    /// The encoding that an image gets in this form.
    func encoding(of image: Image) -> ImageEncoding {
        switch self {
        case .png(let level): .png(level: level)
        // A JPEG has 8 bits, no alpha, no place for a gamma, and no more than so many pixels a side.
        case .jpeg(let quality):
            image.format.isDeep || image.metadata.gamma != nil || max(image.width, image.height) > 65_500
                || !image.isOpaque
                ? .png : .jpeg(quality: quality, subsampling: .yuv444)
        }
    }
}

extension Image {
    /// True if every pixel hides what is behind it, in images of 8 bits.
    fileprivate var isOpaque: Bool {
        guard format.hasAlpha else { return true }
        let (step, last) = (format.bytesPerPixel, format.bytesPerPixel * width)
        return withUnsafeBytes { bytes in
            for y in 0..<height {
                var at = y * bytesPerRow + step - 1
                while at < y * bytesPerRow + last {
                    if bytes[at] != 255 { return false }
                    at += step
                }
            }
            return true
        }
    }
}

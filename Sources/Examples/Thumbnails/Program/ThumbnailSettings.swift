import CommandOutput
import ImageCodecs

/// What all thumbnails of a run have in common.
struct ThumbnailSettings: Sendable, Equatable {
    var size: Int
    var fills = false
    var format = OutputFormat.jpeg
    var quality = 85
    var isExact = false
    var everyScan = false
    var damaged = DamagePolicy.refuse

    var options: DecodeOptions {
        DecodeOptions(
            as: Rendition(
                targetSize: PixelSize(width: size, height: size), contentMode: fills ? .fill : .fit,
                quality: isExact ? .exact : .standard, leavesOutScans: !everyScan, damage: damaged))
    }

    var encoding: ImageEncoding {
        switch format {
        case .jpeg: .jpeg(quality: quality)
        case .png: .png
        }
    }

    /// Everything that decides what a thumbnail of a photo looks like, as text that is compared.
    var text: String {
        var text = "thumbnails 1\nsize \(size)\nformat \(format.rawValue)\n"
        if format == .jpeg { text += "quality \(quality)\n" }
        if fills { text += "fill\n" }
        if isExact { text += "exact\n" }
        if everyScan { text += "every scan\n" }
        if damaged == .show { text += "damaged\n" }
        return text
    }
}

import ImageCodecs
import TestSupport

/// A decode of pieces, with all degraded images that somebody gets who asks after each.
struct PushedDecode {
    /// Each with the bytes that had come by then.
    var previews: [(bytes: Int, given: DegradedImage)] = []
    let final: Image

    init(_ file: [UInt8], options: DecodeOptions = DecodeOptions(), pieces: () -> Int = { 1 }) throws(DecodeError) {
        var options = options
        options.previews = true
        let decoder = ContentDecoder(options: options)
        var at = 0
        while at < file.count {
            let piece = Array(file[at..<min(file.count, at + max(1, pieces()))])
            try decoder.append(piece)
            at += piece.count
            if let preview = try decoder.takePreview() { previews.append((at, preview)) }
        }
        final = try decoder.finish()
    }

    /// How like the final image they are, in decibels.
    var likeness: [Double] { previews.map { Pictures.psnr($0.given.image, final) } }

    /// What holds for all files: a few images of the right kind, each of more than the one before.
    var isInOrder: Bool {
        let images = previews.map(\.given.image)
        let qualities = [0] + previews.map(\.given.quality)
        return previews.count <= 8
            && images.allSatisfy {
                $0.size == final.size && $0.format == final.format && $0.iccProfile == final.iccProfile
            }
            && zip(qualities, qualities.dropFirst()).allSatisfy { $0 < $1 } && qualities.allSatisfy { $0 <= 1 }
    }

    /// And each is more like the final one.
    var converges: Bool { isInOrder && zip(likeness, likeness.dropFirst()).allSatisfy { $0 <= $1 + 0.5 } }
}

extension DecodeOptions {
    /// Those that show nothing of a picture that is damaged.
    static let refusing = DecodeOptions(as: Rendition(damage: .refuse))
}

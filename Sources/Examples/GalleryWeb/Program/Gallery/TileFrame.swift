import ImagePipeline

/// One part of the answer for a tile: its kind in a byte, its length in four, and its content. The page draws each picture as it comes.
struct TileFrame: Sendable {
    /// The kinds of parts, as the page reads them.
    enum Kind: UInt8, Sendable {
        /// A picture in the place of a better one.
        case degraded = 0x64
        /// The picture.
        case final = 0x66
        /// The reason for which there is none.
        case failed = 0x65
        /// No picture: the photo is no longer at this place.
        case gone = 0x67
        /// The way of the load, as JSON.
        case trace = 0x74
    }

    let bytes: [UInt8]

    init(_ kind: Kind, _ content: [UInt8]) {
        let length = content.count
        bytes = [kind.rawValue] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + content
    }

    init(_ error: some Error) {
        self.init(.failed, Array("\(error)".utf8))
    }

    /// Creates the part of an event; nil for one that shows nothing.
    init?(_ event: ImageEvent) {
        do throws(EncodeError) {
            switch event {
            case .progress: return nil
            case .degraded(let image, quality: _):
                self.init(.degraded, try Self.encode(image, quality: 60))
            case .final(let image, _):
                self.init(.final, try Self.encode(image, quality: 82))
            }
        } catch {
            self.init(error)
        }
    }

    /// A JPEG, or a PNG where there is transparency.
    private static func encode(_ image: Image, quality: Int) throws(EncodeError) -> [UInt8] {
        try image.encoded(as: image.format.hasAlpha ? .png(level: 1) : .jpeg(quality: quality))
    }
}

/// A file format to write, with its settings. Which facts beside the picture go into it, ``WrittenMetadata`` says.
public enum ImageEncoding: Sendable, Hashable {
    /// How much coarser colour is stored than brightness.
    public enum ChromaSubsampling: Int32, Sendable, Hashable {
        case yuv420 = 0
        case yuv422 = 1
        case yuv444 = 2
    }

    /// Quality 1 to 100 (libjpeg's scale; clamped). Alpha is laid on white. A progressive file shows a whole picture early.
    case jpeg(quality: Int = 90, progressive: Bool = false, subsampling: ChromaSubsampling = .yuv420)
    /// Level 0 (stored) to 9 (smallest), zlib's (clamped). A picture of at most 256 colours is stored with a palette if it
    /// may be: the same pixels in a smaller file.
    case png(level: Int = 6, palette: Bool = true)

    /// A JPEG of quality 90, baseline.
    public static let jpeg = ImageEncoding.jpeg()
    /// A PNG of level 6.
    public static let png = ImageEncoding.png()

    /// The format written.
    public var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}

/// A file format to write, with its settings. Which facts beside the picture go into it, ``WrittenMetadata`` says.
public enum ImageEncoding: Sendable, Hashable {
    /// The resolution at which colour is stored, compared with brightness.
    public enum ChromaSubsampling: Int32, Sendable, Hashable {
        /// Half of the resolution across, and half of it down (4:2:0).
        case yuv420 = 0
        /// Half of the resolution across, and all of it down (4:2:2).
        case yuv422 = 1
        /// All of the resolution (4:4:4).
        case yuv444 = 2
    }

    /// The Huffman tables that a JPEG's samples are coded with. The picture is the same to the bit.
    ///
    /// A file's own tables need a pass that counts first, which about triples the time of encoding, and all its coefficients in memory
    /// (3 bytes a pixel at 4:2:0). Of a photo at quality 90 they save 7 % of the file at 128 × 96 pixels, for 0.05 ms more; 1.4 % at
    /// 512 × 384, for 1.1 ms; 0.7 % of 12 megapixels, for 52 ms (81 in place of 29).
    public enum HuffmanTables: Sendable, Hashable {
        /// The file's own tables for up to 512 × 512 pixels or as many, where they save most; the standard's for larger
        /// pictures.
        case automatic
        /// The tables of the standard (T.81 K.3). A progressive file has its own in any case: there are no others for
        /// it.
        case standard
        /// Tables computed for the file.
        case optimized

        func areOptimized(for size: PixelSize) -> Bool {
            switch self {
            case .automatic: size.width * size.height <= 1 << 18
            case .standard: false
            case .optimized: true
            }
        }
    }

    /// A JPEG of quality 1 to 100 (libjpeg's scale; clamped). Alpha is laid on white. A progressive file shows a whole
    /// picture early.
    case jpeg(
        quality: Int = 90, progressive: Bool = false, subsampling: ChromaSubsampling = .yuv420,
        tables: HuffmanTables = .automatic)
    /// A PNG, compressed at zlib's level 0 (stored) to 9 (smallest) (clamped).
    ///
    /// Reduced, the file has the same pixels in the layout that makes it smallest: without an alpha that hides nothing, without colour
    /// where all is grey, with 8 bits where the lower 8 of 16 say nothing, with 1, 2 or 4 where they suffice, with a palette of at most 256
    /// colours; rows filtered or not. What it decodes to may be of another ``PixelFormat``, then. Of up to 256 KiB of pixels
    /// every layout is tried in full: the file is never larger than one that is not reduced. Of a larger picture they are tried on a
    /// sixteenth of its rows, and those in full that come within a tenth of the best; none has been found to be larger. Icons take about
    /// three times as long to write as they are without, photos 1.3 times; screenshots and scans take less time.
    case png(level: Int = 6, reduced: Bool = true)

    /// A baseline JPEG of quality 90.
    public static let jpeg = ImageEncoding.jpeg()
    /// A PNG of level 6.
    public static let png = ImageEncoding.png()

    /// The format of the encoded file.
    public var format: ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}

/// What a decode may cost. Checked before memory is allocated; beyond one of them a decode fails with
/// ``DecodeError/limitExceeded(_:value:allowed:at:)``.
public struct DecodeLimits: Sendable, Hashable {
    /// Which limit.
    public enum Limit: String, Sendable, Hashable {
        case inputBytes, dimension, pixels, outputBytes, workingBytes, scans, metadataBytes
        /// In milliseconds where an error tells of it.
        case time
    }

    /// Bytes of the file, what lies behind the picture too. ``ContentDecoder`` counts them, for all formats: those that have come
    /// and those that were announced.
    public var inputBytes: Int
    /// Pixels along one side, as stored.
    public var dimension: Int
    /// Width × height, as stored, whatever the size asked for.
    public var pixels: Int
    /// Bytes of the image handed out.
    public var outputBytes: Int
    /// Bytes the decoder holds beside the image handed out: coefficient arrays of progressive JPEGs (2 bytes per
    /// sample; of a strong reduction those that it shows), pixels of interlaced PNGs, filter windows, input that cannot be decoded yet.
    public var workingBytes: Int
    /// Scans of one JPEG. Each costs a pass over all blocks, however few bytes it takes.
    public var scans: Int
    /// Bytes of profiles and Exif data kept. A JPEG's profile that is more is left out, and its picture decoded without it.
    public var metadataBytes: Int
    /// How long a decoder may work, by ``DecodeOptions/clock``: what it waits for bytes is not counted. Looked at every few
    /// rows, so that a decode may end a few milliseconds late.
    public var time: Duration

    /// The limits that are not given are those of ``safe``.
    public init(
        inputBytes: Int = 1 << 28, dimension: Int = 65_535, pixels: Int = 1 << 28, outputBytes: Int = 1 << 28,
        workingBytes: Int = 1 << 27, scans: Int = 100, metadataBytes: Int = 1 << 22, time: Duration = .seconds(30)
    ) {
        self.inputBytes = inputBytes
        self.dimension = dimension
        self.pixels = pixels
        self.outputBytes = outputBytes
        self.workingBytes = workingBytes
        self.scans = scans
        self.metadataBytes = metadataBytes
        self.time = time
    }

    /// For bytes from anywhere: 256 MiB in, 65,535 pixels a side, 268 megapixels, 256 MiB out, 128 MiB of working memory
    /// (progressive photos up to 42 megapixels at 4:2:0), 100 scans, 4 MiB of metadata, 30 seconds
    /// (a PNG of as many pixels as are allowed takes a quarter of that).
    public static let safe = DecodeLimits()

    /// For bytes one trusts: the machine's memory is the only bound, and a file that asks for more ends the process.
    public static let unlimited = DecodeLimits(
        inputBytes: 1 << 60, dimension: Int(Int32.max), pixels: 1 << 40, outputBytes: 1 << 40, workingBytes: 1 << 40,
        scans: .max, metadataBytes: Int(Int32.max), time: .seconds(1 << 40))
}

/// The bounds of a decode's input, output, memory and time. They are checked before memory is allocated; a decode that
/// exceeds one of them fails with ``DecodeError/limitExceeded(_:value:allowed:at:)``.
public struct DecodeLimits: Sendable, Hashable {
    /// A bound that a decode can exceed.
    public enum Limit: String, Sendable, Hashable {
        /// A bound that is named after its property of ``DecodeLimits``.
        case inputBytes, dimension, pixels, outputBytes, workingBytes, scans, metadataBytes
        /// The time, which errors state in milliseconds.
        case time
    }

    /// The largest file in bytes, including data behind the picture. ``ContentDecoder`` counts them for all formats:
    /// the bytes that have come, and those that were announced.
    public var inputBytes: Int
    /// The largest number of pixels along one side, as stored.
    public var dimension: Int
    /// The largest number of pixels (width × height), as stored, whatever the size asked for.
    public var pixels: Int
    /// The largest size of the decoded image in bytes.
    public var outputBytes: Int
    /// The largest amount of memory that the decoder uses beside the decoded image, in bytes: coefficient arrays of
    /// progressive JPEGs (2 bytes per sample; with a strong reduction only of the coefficients that show), pixels of
    /// interlaced PNGs, filter windows, input that cannot be decoded yet.
    public var workingBytes: Int
    /// The largest number of scans in one JPEG. Each costs a pass over all blocks, however few bytes it takes.
    public var scans: Int
    /// The largest size of the profiles and Exif data that are kept, in bytes. A file whose profile is larger is
    /// decoded without it.
    public var metadataBytes: Int
    /// The longest time that a decoder may work, by ``DecodeOptions/clock``, without the time that it waits for bytes.
    /// It is checked every few rows, so a decode may end a few milliseconds late.
    public var time: Duration

    /// Creates limits; the defaults are those of ``safe``.
    ///
    /// - Parameters:
    ///   - inputBytes: The largest file in bytes.
    ///   - dimension: The largest number of pixels along one side.
    ///   - pixels: The largest number of pixels.
    ///   - outputBytes: The largest size of the decoded image in bytes.
    ///   - workingBytes: The largest amount of memory that the decoder uses beside the decoded image, in bytes.
    ///   - scans: The largest number of scans in one JPEG.
    ///   - metadataBytes: The largest size of the profiles and Exif data that are kept, in bytes.
    ///   - time: The longest time that a decoder may work.
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

    /// The limits for files from untrusted sources: 256 MiB in, 65,535 pixels a side, 268 megapixels, 256 MiB out, 128
    /// MiB of working memory (progressive photos up to 42 megapixels at 4:2:0), 100 scans, 4 MiB of metadata, 30
    /// seconds (a PNG of as many pixels as are allowed takes a quarter of that).
    public static let safe = DecodeLimits()

    /// The limits for trusted files: the machine's memory is the only bound, and a file that asks for more ends the
    /// process.
    public static let unlimited = DecodeLimits(
        inputBytes: 1 << 60, dimension: Int(Int32.max), pixels: 1 << 40, outputBytes: 1 << 40, workingBytes: 1 << 40,
        scans: .max, metadataBytes: Int(Int32.max), time: .seconds(1 << 40))
}

/// What a decode is to give, and at what cost.
public struct DecodeOptions: Sendable {
    /// The form of the image; its ``Rendition/processors`` are left to whoever gets it.
    public var rendition: Rendition
    /// What it may cost; beyond that it fails.
    public var limits: DecodeLimits
    /// Whether ``ImageDecoder/takePreview()`` gives degraded images: embedded thumbnails, scans, passes, rows. Without demand for them
    /// nothing is computed. Each costs a rendering at the size asked for, or a copy of the image: next to nothing for a thumbnail of
    /// a photo. All those of a large picture at its own size may take as long as its decode.
    public var previews: Bool
    /// Asked between rows, on the decoding thread; after `true` the decode ends with ``DecodeError/cancelled``.
    public var isCancelled: @Sendable () -> Bool
    /// What ``DecodeLimits/time`` is measured by: the time since some instant, asked on the decoding thread. It may be another one
    /// in each call of a decoder.
    public var clock: @Sendable () -> Duration
    /// The formats that ``ContentDecoder`` and ``Image/decode(_:options:)`` know.
    public var decoders: ImageDecoders

    /// For tests, which show that what is always left out makes no difference to a pixel.
    var leavesOutInvisible = true

    /// The whole picture at its own size, within safe limits, unless it says otherwise; see the properties.
    public init(
        as rendition: Rendition = .original, limits: DecodeLimits = .safe, previews: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        clock: @escaping @Sendable () -> Duration = DecodeOptions.threadTime, decoders: ImageDecoders = .standard
    ) {
        self.rendition = rendition
        self.limits = limits
        self.previews = previews
        self.isCancelled = isCancelled
        self.clock = clock
        self.decoders = decoders
    }

    /// What of a picture is shown, and at what size, as it is stored.
    func placement(stored: PixelSize, _ orientation: Orientation) -> Placement {
        Placement(
            of: orientation.applied(to: stored), in: rendition.targetSize, mode: rendition.contentMode,
            enlarges: rendition.enlarges
        )
        .stored(orientation, size: stored)
    }
}

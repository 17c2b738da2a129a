/// What a decode is to give, and at what cost.
public struct DecodeOptions: Sendable {
    /// The box, in pixels of the upright picture, that the image is brought into. `nil` for full size.
    public var targetSize: PixelSize?
    /// What becomes of the picture where its shape is not the box's.
    public var contentMode: ContentMode
    /// Whether a picture smaller than the box is enlarged.
    public var enlarges: Bool
    /// How samples are weighted where the size changes. A JPEG is decoded at a scale near the target first: the filter
    /// works on what that gives.
    public var filter: ResamplingFilter
    /// The fidelity of a reduced JPEG to the whole picture reduced. Other formats are always decoded whole.
    public var quality: DecodeQuality
    /// Whether what is weighted is the light that samples stand for, by sRGB's curve, and not the samples: fine patterns of light
    /// and dark then keep their brightness (a checkerboard of black and white becomes 188, not 128). Any profile is taken to have
    /// that curve. A JPEG's scaled transforms average samples, and are not used: the whole picture is
    /// decoded, which takes a thumbnail of a photo two to four times as long, and of a progressive one up to seven times.
    public var linearLight: Bool
    /// Whether a file's samples of 16 bits stay so. Otherwise every image has 8, and half the bytes.
    public var keepsDepth: Bool
    /// Whether samples of a PNG that says they are another power of light than sRGB's, by its `gAMA` chunk, are converted to sRGB's, as
    /// browsers do. All that is done with an image afterwards takes its samples for sRGB's. With `false` they stay as they
    /// are stored, and ``ImageMetadata/gamma`` says what they mean. What is said by a profile, by `sRGB` or `cICP`, counts before
    /// `gAMA`; values within five hundredths of 1/2.2 are left as they are.
    public var appliesGamma: Bool
    /// What it may cost; beyond that it fails.
    public var limits: DecodeLimits
    /// Whether ``ImageDecoder/takePreview()`` gives degraded images: embedded thumbnails, scans, passes, rows. Without demand for them
    /// nothing is computed. Each costs a rendering at the size asked for, or a copy of the image: next to nothing for a thumbnail of
    /// a photo. All those of a large picture at its own size may take as long as its decode.
    public var previews: Bool
    /// Whether scans of a progressive JPEG that the target size hardly shows are passed over undecoded, and of the others
    /// only the coefficients kept that it shows. Thumbnails are then made several times faster, in a tenth of the memory, and
    /// of fewer bytes: ``ImageDecoder/needsNoMoreBytes`` says when the last scan that shows is there.
    ///
    /// Down to a twelfth of the size only what makes no difference to a bit of the picture is left out. From there on, what a scan
    /// holds is read off its Huffman code before it is decoded, so that one that would show is decoded. Of photos reduced by 12 to
    /// 60 (463 files of 27 photos, of all qualities, samplings and orders of scans) the medians came within 0.8 dB of every
    /// scan's, single ones within 5, and none below 49.5 dB where every scan had 50. Fine patterns in saturated colours may lose
    /// more, down to 44 dB. A code that an earlier scan has too, or one of the standard's, tells nothing, and its scan is decoded; what another
    /// code says is held against what the scan's first rows hold, and every row that is decoded.
    ///
    /// Damage in what is passed over goes unseen, and a file cut off inside the last such scan counts as whole. With `false`,
    /// ``linearLight`` or ``DecodeQuality/exact``, only what makes no difference is left out: fine patterns are part of the light.
    public var leavesOutScans: Bool
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
        targetSize: PixelSize? = nil, contentMode: ContentMode = .fit, enlarges: Bool = false,
        filter: ResamplingFilter = .lanczos3, quality: DecodeQuality = .standard, linearLight: Bool = false,
        keepsDepth: Bool = false, appliesGamma: Bool = true, limits: DecodeLimits = .safe, previews: Bool = false,
        leavesOutScans: Bool = true, isCancelled: @escaping @Sendable () -> Bool = { false },
        clock: @escaping @Sendable () -> Duration = DecodeOptions.threadTime,
        decoders: ImageDecoders = .standard
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.enlarges = enlarges
        self.filter = filter
        self.quality = quality
        self.linearLight = linearLight
        self.keepsDepth = keepsDepth
        self.appliesGamma = appliesGamma
        self.limits = limits
        self.previews = previews
        self.leavesOutScans = leavesOutScans
        self.isCancelled = isCancelled
        self.clock = clock
        self.decoders = decoders
    }

    /// What of a picture is shown, and at what size, as it is stored.
    func placement(stored: PixelSize, _ orientation: Orientation) -> Placement {
        Placement(of: orientation.applied(to: stored), in: targetSize, mode: contentMode, enlarges: enlarges)
            .stored(orientation, size: stored)
    }
}

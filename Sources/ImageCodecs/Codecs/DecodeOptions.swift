/// The rendition that a decode produces, and the limits it observes.
public struct DecodeOptions: Sendable {
    /// The form of the image; its ``Rendition/processors`` are left to the receiver.
    public var rendition: Rendition
    /// Further renditions of the picture, made in the same pass; the largest is best made the ``rendition``. Only their size, mode and
    /// ``Rendition/enlarges`` count: all else is that of ``rendition``.
    ///
    /// The decoder hands them out as ``ImageDecoder/furtherImages``: all of them, or none where it makes no further ones, where
    /// all together exceed a limit, or where ``derivesFurther`` would cost quality.
    public var further: [Rendition] = []
    /// A Boolean value that determines whether smaller renditions of a JPEG may be made of a larger one's pixels instead of the decoded ones,
    /// which makes ten sizes of a photo of 12 megapixels for a third more than the largest takes. Of one of at most four megapixels they are made
    /// of the decoded ones in any case.
    ///
    /// They are made in both ways in strips of the picture. If those differ, as they do of text and line art, which the first reduction
    /// blurs, there are no further images: with `false` they are all made of the decoded pixels, whatever the picture shows, each as good
    /// as a decode of its own.
    public var derivesFurther = true
    /// The bytes of memory beyond which a decode pauses: once the decoder knows that it needs more (``ImageDecoder/memoryNeeded``), it keeps
    /// the rest of what it is fed with in that call and goes on with the next one. Whoever feeds it can wait between the two until there is
    /// room. Decoders of JPEG do so; by default there is no pause.
    public var pausesBeyond = Int.max
    /// The limits of the decode; it fails when it exceeds one.
    public var limits: DecodeLimits
    /// A Boolean value that determines whether ``ImageDecoder/takePreview()`` returns degraded images: embedded
    /// thumbnails, scans, passes, rows. Without demand for them nothing is computed. Each costs a rendering at the size
    /// asked for, or a copy of the image: next to nothing for a thumbnail of a photo. All those of a large picture at
    /// its own size may take as long as its decode.
    public var previews: Bool
    /// A closure that is called between rows, on the decoding thread; once it returns `true` the decode ends with
    /// ``DecodeError/cancelled``.
    public var isCancelled: @Sendable () -> Bool
    /// A closure that returns the time since some fixed instant, called on the decoding thread to measure
    /// ``DecodeLimits/time``. Different calls of a decoder may use different instants.
    ///
    /// By default, with nil, it is ``threadTime``. As that is a call of the system of some microseconds, it is only asked once an eighth of the
    /// time allowed has passed by the system's clock; that eighth is not counted.
    public var clock: (@Sendable () -> Duration)?
    /// The formats that ``ContentDecoder`` and ``Image/decode(_:options:)`` know.
    public var decoders: ImageDecoders

    /// For tests, which show that what is always left out makes no difference to a pixel.
    var leavesOutInvisible = true

    /// Creates options; by default the whole picture is decoded at its own size, within safe limits.
    ///
    /// - Parameters:
    ///   - rendition: The form in which the image is wanted.
    ///   - limits: The limits of the decode; it fails when it exceeds one.
    ///   - previews: A Boolean value that determines whether degraded images are made.
    ///   - isCancelled: A closure that returns whether to end the decode, called on the decoding thread.
    ///   - clock: A closure that returns the time since some fixed instant; nil for the processor time of the decoding thread.
    ///   - decoders: The decoders to choose from.
    public init(
        as rendition: Rendition = .original, limits: DecodeLimits = .safe, previews: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        clock: (@Sendable () -> Duration)? = nil, decoders: ImageDecoders = .standard
    ) {
        self.rendition = rendition
        self.limits = limits
        self.previews = previews
        self.isCancelled = isCancelled
        self.clock = clock
        self.decoders = decoders
    }

    /// The part of a picture that is shown, and its size, in the file's own orientation.
    func placement(stored: PixelSize, _ orientation: Orientation) -> Placement {
        rendition.placement(stored: stored, orientation)
    }

    /// The part that each of the further renditions shows, and its size.
    func furtherPlacements(stored: PixelSize, _ orientation: Orientation) -> [Placement] {
        further.map { $0.placement(stored: stored, orientation) }
    }
}

extension Rendition {
    fileprivate func placement(stored: PixelSize, _ orientation: Orientation) -> Placement {
        Placement(of: orientation.applied(to: stored), in: targetSize, mode: contentMode, enlarges: enlarges)
            .stored(orientation, size: stored)
    }
}

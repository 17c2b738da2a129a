/// The form in which an image is wanted: its size, the way it gets that size, and the steps applied afterwards.
///
/// Decoders, requests and the keys of caches share this one value, so two renditions that could differ by a pixel never
/// share a key.
///
///     let thumbnail = Rendition.fill(PixelSize(width: 120, height: 120))
///     let avatar = Rendition.fit(box).processed(by: .circle)
public struct Rendition: Sendable, Hashable {
    /// The box, in pixels of the upright picture, that the image is scaled to; `nil` for its own size.
    public var targetSize: PixelSize?
    /// The treatment of a picture whose shape is not the box's.
    public var contentMode: ContentMode
    /// A Boolean value that determines whether a picture smaller than the box is enlarged.
    public var enlarges: Bool
    /// The filter that resamples the picture when its size changes. A JPEG is decoded at a scale near the target first:
    /// the filter works on what that gives.
    public var filter: ResamplingFilter
    /// The accuracy of a reduced JPEG, compared with the whole picture reduced. Other formats are always decoded whole.
    public var quality: DecodeQuality
    /// A Boolean value that determines whether to resample in linear light, by sRGB's curve, instead of encoded sample
    /// values: fine patterns of light and dark then keep their brightness (a checkerboard of black and white becomes
    /// 188, not 128). Any profile is taken to have that curve. A JPEG's scaled transforms average samples, and are not
    /// used: the whole picture is decoded, which takes a thumbnail of a photo two to four times as long, and of a
    /// progressive one up to seven times.
    public var linearLight: Bool
    /// A Boolean value that determines whether samples of 16 bits keep their depth. Otherwise every image has 8, and
    /// half the bytes.
    public var keepsDepth: Bool
    /// A Boolean value that determines whether the samples of a PNG whose `gAMA` chunk states another curve than sRGB's
    /// are converted to sRGB's, as browsers do. All that is done with an image afterwards takes its samples for sRGB's.
    /// With `false` they stay as they are stored, and ``ImageMetadata/gamma`` says what they mean. What is said by a
    /// profile, by `sRGB` or `cICP`, counts before `gAMA`; values within five hundredths of 1/2.2 are left as they are.
    public var appliesGamma: Bool
    /// A Boolean value that determines whether to skip progressive scans that have little visible effect at the target
    /// size, and to keep only the coefficients of the others that show. Thumbnails are then made several times faster,
    /// in a tenth of the memory, and of fewer bytes: ``ImageDecoder/needsNoMoreBytes`` says when the last scan that
    /// shows is there.
    ///
    /// Down to a twelfth of the size only what makes no difference to a bit of the picture is left out. From there on, what a scan
    /// holds is read off its Huffman code before it is decoded, so that one that would show is decoded. Of photos reduced by 12 to
    /// 60 (463 files of 27 photos, of all qualities, samplings and orders of scans) the medians came within 0.8 dB of every
    /// scan's, single ones within 5, and none below 49.5 dB where every scan had 50. Fine patterns in saturated colours may lose
    /// more, down to 44 dB. A scan whose code an earlier scan has too, or is one of the standard's, is always decoded; what another
    /// code says is held against what the scan's first rows hold, and every row that is decoded.
    ///
    /// Damage in what is passed over goes unseen, and a file cut off inside the last such scan counts as whole. With `false`,
    /// ``linearLight`` or ``DecodeQuality/exact``, only what makes no difference is left out: fine patterns are part of the light.
    public var leavesOutScans: Bool
    /// The treatment of a picture that is damaged in places.
    public var damage: DamagePolicy
    /// The steps applied to the image at its final size, in their order. Decoders leave them to the pipeline, or to
    /// whoever calls ``ImageProcessor/process(_:)``.
    public var processors: [AnyImageProcessor]

    /// Creates a rendition; by default the whole picture at its own size.
    ///
    /// - Parameters:
    ///   - targetSize: The box in pixels that the image is scaled to; nil for its own size.
    ///   - contentMode: The treatment of a picture whose shape is not the box's.
    ///   - enlarges: A Boolean value that determines whether a picture smaller than the box is enlarged.
    ///   - filter: The filter that resamples the picture.
    ///   - quality: The accuracy of a reduced JPEG.
    ///   - linearLight: A Boolean value that determines whether to resample in linear light instead of encoded sample
    ///     values; see ``Rendition/linearLight``.
    ///   - keepsDepth: A Boolean value that determines whether samples of 16 bits keep their depth.
    ///   - appliesGamma: A Boolean value that determines whether a PNG's `gAMA` chunk is applied.
    ///   - leavesOutScans: A Boolean value that determines whether to skip progressive scans that have little visible
    ///     effect.
    ///   - damage: The treatment of a picture that is damaged in places.
    ///   - processors: The steps applied to the image at its final size, in their order.
    public init(
        targetSize: PixelSize? = nil, contentMode: ContentMode = .fit, enlarges: Bool = false,
        filter: ResamplingFilter = .lanczos3, quality: DecodeQuality = .standard, linearLight: Bool = false,
        keepsDepth: Bool = false, appliesGamma: Bool = true, leavesOutScans: Bool = true,
        damage: DamagePolicy = .show, processors: [AnyImageProcessor] = []
    ) {
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.enlarges = enlarges
        self.filter = filter
        self.quality = quality
        self.linearLight = linearLight
        self.keepsDepth = keepsDepth
        self.appliesGamma = appliesGamma
        self.leavesOutScans = leavesOutScans
        self.damage = damage
        self.processors = processors
    }

    /// The whole picture at its own size.
    public static let original = Rendition()

    /// Returns a rendition of the whole picture, fitted into a box without changing its shape; see ``ContentMode/fit``.
    ///
    /// - Parameter size: The box in pixels.
    public static func fit(_ size: PixelSize) -> Rendition {
        Rendition(targetSize: size)
    }

    /// Returns a rendition that fills a box, cutting off what does not fit; see ``ContentMode/fill(gravity:)``.
    ///
    /// - Parameters:
    ///   - size: The box in pixels.
    ///   - gravity: The part that is kept when the picture is cut.
    public static func fill(_ size: PixelSize, gravity: Gravity = .centre) -> Rendition {
        Rendition(targetSize: size, contentMode: .fill(gravity: gravity))
    }

    /// Returns the rendition with further steps after its own.
    ///
    /// - Parameter steps: The steps, in the order in which they are applied.
    public func processed(by steps: AnyImageProcessor...) -> Rendition {
        var rendition = self
        rendition.processors += steps
        return rendition
    }

    /// A stable text that describes the whole rendition, for the keys of caches: two renditions that could differ by a
    /// pixel have different texts.
    public var identifier: String {
        var text = ""
        text.reserveCapacity(95)
        forEachIdentifierWord { word in
            if !text.isEmpty { text += " " }
            text += word
        }
        return text
    }

    /// Calls a closure with each word of the ``identifier``, whose last is the processors': for keys that are computed for each cell, where
    /// the text as a whole would cost more than all the rest.
    ///
    /// - Parameter body: A closure that is called with each word.
    public func forEachIdentifierWord(_ body: (String) -> Void) {
        if keepsDepth { body("deep") }
        if !appliesGamma { body("stored gamma") }
        if damage == .refuse { body("whole") }
        if let targetSize {
            body(String(targetSize.width))
            body(String(targetSize.height))
            body(contentMode.identifier)
            body(filter.rawValue)
            body(quality.rawValue)
            if enlarges { body("enlarges") }
            if linearLight { body("linear") }
            if !leavesOutScans { body("every scan") }
        }
        body(processors.isEmpty ? "\n" : "\n" + Processors.Composition(processors).identifier)
    }
}

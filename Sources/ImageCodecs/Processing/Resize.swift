extension Processors {
    /// Scales an image to a box. What a request's target size does while decoding is done sooner and takes less memory.
    public struct Resize: ImageProcessor {
        /// The box in pixels; a side less than 1 counts as 1.
        public var box: PixelSize
        /// The treatment of an image whose shape is not the box's.
        public var mode: ContentMode
        /// A Boolean value that determines whether an image smaller than the box is enlarged.
        public var enlarges: Bool
        /// The filter that resamples the image.
        public var filter: ResamplingFilter
        /// A Boolean value that determines whether the image is resampled in linear light instead of encoded sample
        /// values; see ``Rendition/linearLight``.
        public var linearLight: Bool

        /// Creates a step that scales the image to a box.
        ///
        /// - Parameters:
        ///   - box: The box in pixels; a side less than 1 counts as 1.
        ///   - mode: The treatment of a picture whose shape is not the box's.
        ///   - enlarges: A Boolean value that determines whether a picture smaller than the box is enlarged.
        ///   - filter: The filter that resamples the picture.
        ///   - linearLight: A Boolean value that determines whether to resample in linear light instead of encoded
        ///     sample values; see ``Rendition/linearLight``.
        public init(
            in box: PixelSize, mode: ContentMode = .fit, enlarges: Bool = false, filter: ResamplingFilter = .lanczos3,
            linearLight: Bool = false
        ) {
            self.box = box
            self.mode = mode
            self.enlarges = enlarges
            self.filter = filter
            self.linearLight = linearLight
        }

        public var identifier: String {
            "imagestreams.resize(\(box.width)x\(box.height) \(mode.identifier) \(enlarges) \(filter.rawValue)"
                + (linearLight ? " linear)" : ")")
        }

        public func process(_ image: Image) -> Image {
            image.resized(in: box, mode: mode, enlarges: enlarges, filter: filter, linearLight: linearLight)
        }
    }
}

extension AnyImageProcessor {
    /// Returns a step that scales the image to a box: see ``Processors/Resize``.
    ///
    /// - Parameters:
    ///   - box: The box in pixels; a side less than 1 counts as 1.
    ///   - mode: The treatment of a picture whose shape is not the box's.
    ///   - enlarges: A Boolean value that determines whether a picture smaller than the box is enlarged.
    ///   - filter: The filter that resamples the picture.
    ///   - linearLight: A Boolean value that determines whether to resample in linear light instead of encoded sample
    ///     values; see ``Rendition/linearLight``.
    public static func resize(
        in box: PixelSize, mode: ContentMode = .fit, enlarges: Bool = false, filter: ResamplingFilter = .lanczos3,
        linearLight: Bool = false
    ) -> AnyImageProcessor {
        AnyImageProcessor(
            Processors.Resize(in: box, mode: mode, enlarges: enlarges, filter: filter, linearLight: linearLight))
    }
}

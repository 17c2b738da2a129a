extension Processors {
    /// Takes the colour away, and leaves alpha as it is. A profile for colours goes with them.
    public struct Grayscale: ImageProcessor {
        /// The step; it has no parameters.
        public init() {}

        public var identifier: String { "imagestreams.grayscale" }

        public func process(_ image: Image) -> Image {
            image.converted(
                to: PixelFormat(isGrey: true, hasAlpha: image.format.hasAlpha, isDeep: image.format.isDeep))
        }
    }
}

extension AnyImageProcessor {
    /// A step that takes the colour away: see ``Processors/Grayscale``.
    public static let grayscale = AnyImageProcessor(Processors.Grayscale())
}

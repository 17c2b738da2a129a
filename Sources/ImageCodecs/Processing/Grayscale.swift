extension Processors {
    /// Removes the colour, and leaves alpha as it is. A profile for colours goes with them.
    public struct Grayscale: ImageProcessor {
        /// Creates the step, which has no parameters.
        public init() {}

        public var identifier: String { "imagestreams.grayscale" }

        public func process(_ image: Image) -> Image {
            image.converted(
                to: PixelFormat(isGrey: true, hasAlpha: image.format.hasAlpha, isDeep: image.format.isDeep))
        }
    }
}

extension AnyImageProcessor {
    /// A step that removes the colour: see ``Processors/Grayscale``.
    public static let grayscale = AnyImageProcessor(Processors.Grayscale())
}

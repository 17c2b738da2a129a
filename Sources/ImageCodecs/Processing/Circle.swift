extension Processors {
    /// Cuts out the largest circle in the middle: a square image, clear outside of the circle, with a smooth edge.
    public struct Circle: ImageProcessor {
        /// Creates the step, which has no parameters.
        public init() {}

        public var identifier: String { "imagestreams.circle" }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            let side = min(image.width, image.height)
            let square = try Crop(PixelSize(width: side, height: side)).process(image)
            return RoundedCorners(radius: Double(side) / 2).process(square)
        }
    }
}

extension AnyImageProcessor {
    /// A step that cuts out a circle: see ``Processors/Circle``.
    public static let circle = AnyImageProcessor(Processors.Circle())
}

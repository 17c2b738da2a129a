extension Processors {
    /// Brings an image into a box. What a request's target size does while decoding is done sooner and takes less memory.
    public struct Resize: ImageProcessor {
        public var box: PixelSize
        public var mode: ContentMode
        public var enlarges: Bool
        public var filter: ResamplingFilter
        public var linearLight: Bool

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
    public static func resize(
        in box: PixelSize, mode: ContentMode = .fit, enlarges: Bool = false, filter: ResamplingFilter = .lanczos3,
        linearLight: Bool = false
    ) -> AnyImageProcessor {
        AnyImageProcessor(
            Processors.Resize(in: box, mode: mode, enlarges: enlarges, filter: filter, linearLight: linearLight))
    }
}

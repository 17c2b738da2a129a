extension Processors {
    /// Lays the image on a colour, whose alpha does not count: an image without alpha.
    public struct Flatten: ImageProcessor {
        /// What the image is laid on.
        public var colour: Colour

        /// On a colour.
        public init(on colour: Colour = .white) { self.colour = colour }

        public var identifier: String { "imagestreams.flatten(\(colour.identifier))" }

        public func process(_ image: Image) -> Image {
            guard image.format.hasAlpha else { return image }
            let staysGrey = image.format.isGrey && colour.isGrey
            return image.converted(
                to: PixelFormat(isGrey: staysGrey, hasAlpha: false, isDeep: image.format.isDeep),
                background: (colour.red, colour.green, colour.blue))
        }
    }
}

extension AnyImageProcessor {
    /// A step that lays the image on a colour: see ``Processors/Flatten``.
    public static func flatten(on colour: Colour = .white) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Flatten(on: colour))
    }
}

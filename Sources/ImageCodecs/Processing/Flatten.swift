extension Processors {
    /// Composes the image onto a colour, whose alpha does not count; the result has no alpha.
    public struct Flatten: ImageProcessor {
        /// The colour behind the image.
        public var colour: Colour

        /// Creates a step that composes the image onto a colour.
        ///
        /// - Parameter colour: The colour behind the image.
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
    /// Returns a step that composes the image onto a colour: see ``Processors/Flatten``.
    ///
    /// - Parameter colour: The colour behind the image.
    public static func flatten(on colour: Colour = .white) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Flatten(on: colour))
    }
}

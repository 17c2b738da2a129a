extension Processors {
    /// Mixes a colour into the image's colours; the colour's alpha is its share. The image's own alpha stays.
    public struct Tint: ImageProcessor {
        /// The colour to mix in; its alpha is its share.
        public var colour: Colour

        /// Creates a step that mixes a colour in.
        ///
        /// - Parameter colour: The colour to mix in; its alpha is its share.
        public init(_ colour: Colour) { self.colour = colour }

        public var identifier: String { "imagestreams.tint(\(colour.identifier))" }

        public func process(_ image: Image) -> Image {
            let old = image.format
            let format = PixelFormat(
                isGrey: old.isGrey && colour.isGrey, hasAlpha: old.hasAlpha, isDeep: old.isDeep)
            let samples = format.isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]
            let mix = samples.map { Int($0) * Int(colour.alpha) }
            let rest = 255 - Int(colour.alpha)
            return image.rewritten(as: format) { pixel, _, _ in
                for channel in mix.indices {
                    pixel[channel] = (pixel[channel] * rest + mix[channel] * pixel.unit + 127) / 255
                }
            }
        }
    }
}

extension AnyImageProcessor {
    /// Returns a step that mixes a colour in: see ``Processors/Tint``.
    ///
    /// - Parameter colour: The colour to mix in; its alpha is its share.
    public static func tint(_ colour: Colour) -> AnyImageProcessor { AnyImageProcessor(Processors.Tint(colour)) }
}

extension Processors {
    /// Mixes the image's colours with one: its alpha is the share of it. The image's own alpha stays.
    public struct Tint: ImageProcessor {
        /// What is mixed in; its alpha is the share of it.
        public var colour: Colour

        /// With a colour.
        public init(_ colour: Colour) { self.colour = colour }

        public var identifier: String { "imagestreams.tint(\(colour.identifier))" }

        public func process(_ image: Image) -> Image {
            let format: PixelFormat =
                if image.format.isGrey, !colour.isGrey {
                    image.format.hasAlpha ? .rgba8 : .rgb8
                } else {
                    image.format
                }
            let samples = format.isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]
            let mix = samples.map { Int($0) * Int(colour.alpha) + 127 }
            let rest = 255 - Int(colour.alpha)
            return image.rewritten(as: format) { pixel, _, _ in
                for channel in mix.indices {
                    pixel[channel] = UInt8(truncatingIfNeeded: (Int(pixel[channel]) * rest + mix[channel]) / 255)
                }
            }
        }
    }
}

extension AnyImageProcessor {
    /// A step that mixes a colour in: see ``Processors/Tint``.
    public static func tint(_ colour: Colour) -> AnyImageProcessor { AnyImageProcessor(Processors.Tint(colour)) }
}

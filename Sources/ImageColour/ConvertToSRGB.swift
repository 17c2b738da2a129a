import ImageCodecs

extension Processors {
    /// Converts the samples of an image that carries an ICC profile to sRGB, and drops the profile.
    ///
    /// An image without a profile is sRGB already and comes back as it is. So does its alpha, whatever the image. Grey stays
    /// grey, with sRGB's curve; samples keep their depth. It fails where the profile cannot be read or is not one for such
    /// samples.
    ///
    /// A JPEG in CMYK arrives without its profile, as RGB made of the inks: there is nothing left to convert.
    ///
    /// Complexity: the pixels, at 10 ns each in colours of 8 bits and 160 ns else, where nothing is rounded before the end. The
    /// profile is read anew for each image, which took 0.5 to 2 ms.
    public struct ConvertToSRGB: ImageProcessor {
        /// The treatment of colours that sRGB does not have.
        public var intent: RenderingIntent

        /// Creates the step.
        ///
        /// - Parameter intent: The treatment of colours that sRGB does not have.
        public init(intent: RenderingIntent = .relativeColorimetric) { self.intent = intent }

        public var identifier: String { "imagestreams.srgb(\(intent.rawValue))" }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            try process(image, isCancelled: { false })
        }

        /// Converts the image; checks for cancellation before each row.
        ///
        /// - Parameters:
        ///   - image: The image to transform.
        ///   - isCancelled: A closure that returns whether the image is no longer wanted.
        public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
            guard let profile = image.iccProfile else { return image }
            guard let transform = ColourTransform(from: profile, of: image.format, intent: intent) else {
                throw ProcessingError(
                    processor: identifier,
                    reason: "the ICC profile (\(profile.count) bytes) is not one for \(image.format)")
            }
            let rowBytes = image.width * image.format.bytesPerPixel
            var rows = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: rowBytes * image.height) { buffer, count in
                image.withUnsafeBytes { source in
                    guard let source = source.baseAddress, let out = UnsafeMutableRawPointer(buffer.baseAddress) else {
                        return
                    }
                    while rows < image.height, !isCancelled() {
                        transform.convert(
                            source + rows * image.bytesPerRow, to: out + rows * rowBytes, pixels: image.width)
                        rows += 1
                    }
                }
                count = rows * rowBytes
            }
            guard rows == image.height,
                let converted = Image(
                    size: image.size, format: image.format, bytes: bytes, metadata: image.metadata)
            else { throw .cancelled(identifier) }
            return converted
        }
    }
}

extension AnyImageProcessor {
    /// A step that converts to sRGB: see ``Processors/ConvertToSRGB``.
    public static let sRGB = AnyImageProcessor(Processors.ConvertToSRGB())
}

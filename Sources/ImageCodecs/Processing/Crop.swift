extension Processors {
    /// Cuts a part out of an image.
    public struct Crop: ImageProcessor {
        /// The part of an image that is kept.
        public enum Part: Sendable, Hashable {
            /// The pixels of a rectangle, as far as the image covers it; if it covers none, the step fails.
            case rect(PixelRect)
            /// A part of this size, or of the image's own where that is smaller, at the place that gravity says.
            case size(PixelSize, Gravity)
        }

        /// The part that is kept.
        public var part: Part

        /// Creates a step that keeps a rectangle.
        ///
        /// - Parameter rect: The rectangle in pixels.
        public init(_ rect: PixelRect) { part = .rect(rect) }

        /// Creates a step that keeps a part of a size, at a place.
        ///
        /// - Parameters:
        ///   - size: The size in pixels.
        ///   - gravity: The place of the part.
        public init(_ size: PixelSize, gravity: Gravity = .centre) { part = .size(size, gravity) }

        public var identifier: String {
            switch part {
            case .rect(let rect): "imagestreams.crop(\(rect.x) \(rect.y) \(rect.size.width) \(rect.size.height))"
            case .size(let size, let gravity):
                "imagestreams.crop(\(size.width)x\(size.height) \(gravity.rawValue))"
            }
        }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            guard let cropped = image.cropped(to: rect(in: image.size)) else {
                throw ProcessingError(processor: identifier, reason: "outside of an image of \(image.size)")
            }
            return cropped
        }

        private func rect(in picture: PixelSize) -> PixelRect {
            switch part {
            case .rect(let rect): return rect
            case .size(let size, let gravity):
                let width = max(1, min(size.width, picture.width))
                let height = max(1, min(size.height, picture.height))
                return PixelRect(
                    x: Int(Double(picture.width - width) * gravity.fromLeft),
                    y: Int(Double(picture.height - height) * gravity.fromTop), width: width, height: height)
            }
        }
    }
}

extension AnyImageProcessor {
    /// Returns a step that keeps a rectangle: see ``Processors/Crop``.
    ///
    /// - Parameter rect: The rectangle in pixels.
    public static func crop(_ rect: PixelRect) -> AnyImageProcessor { AnyImageProcessor(Processors.Crop(rect)) }

    /// Returns a step that keeps a part of a size, at a place: see ``Processors/Crop``.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - gravity: The place of the part.
    public static func crop(_ size: PixelSize, gravity: Gravity = .centre) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Crop(size, gravity: gravity))
    }
}

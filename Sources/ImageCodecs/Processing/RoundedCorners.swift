extension Processors {
    /// Rounds the corners, with smooth edges; the area outside becomes clear, so that the image has alpha afterwards.
    public struct RoundedCorners: ImageProcessor {
        /// The radius of the corners in pixels; at most half the shorter side counts.
        public var radius: Double

        /// Creates a step that rounds corners by a radius.
        ///
        /// - Parameter radius: The radius in pixels.
        public init(radius: Double) { self.radius = radius }

        public var identifier: String { "imagestreams.rounded-corners(\(radius))" }

        public func process(_ image: Image) -> Image {
            let (width, height) = (Double(image.width), Double(image.height))
            let radius = min(max(0, radius.isFinite ? radius : 0), min(width, height) / 2)
            let format = image.format.withAlpha(true)
            return image.rewritten(as: format) { pixel, x, y in
                // How far the pixel's middle lies beyond the centre of its corner's circle, each way.
                let (middleX, middleY) = (Double(x) + 0.5, Double(y) + 0.5)
                let across = max(radius - middleX, middleX - (width - radius))
                let down = max(radius - middleY, middleY - (height - radius))
                guard across > 0, down > 0 else { return }
                // The share of the pixel that a straight edge at this distance leaves.
                let covered = min(1, max(0, radius - (across * across + down * down).squareRoot() + 0.5))
                let alpha = format.channels - 1
                pixel[alpha] = Int(Double(pixel[alpha]) * covered + 0.5)
            }
        }
    }
}

extension AnyImageProcessor {
    /// Returns a step that rounds corners by a radius in pixels: see ``Processors/RoundedCorners``.
    ///
    /// - Parameter radius: The radius in pixels.
    public static func roundedCorners(radius: Double) -> AnyImageProcessor {
        AnyImageProcessor(Processors.RoundedCorners(radius: radius))
    }
}

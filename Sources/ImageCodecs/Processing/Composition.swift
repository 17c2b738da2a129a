extension Processors {
    /// Applies several steps as one, each to the result of the one before.
    public struct Composition: ImageProcessor {
        /// The steps, in the order in which they are applied.
        public var steps: [AnyImageProcessor]

        /// Creates one step from several.
        ///
        /// - Parameter steps: The steps, in the order in which they are applied.
        public init(_ steps: [AnyImageProcessor]) { self.steps = steps }

        /// The steps' identifiers, each behind its length, so that no two compositions share one.
        public var identifier: String {
            if steps.isEmpty { return "imagestreams.composition()" }
            let parts = steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }
            return "imagestreams.composition(\(parts.joined()))"
        }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            try process(image, isCancelled: { false })
        }

        /// Applies the steps; checks for cancellation before each of them, and as each of them does.
        ///
        /// - Parameters:
        ///   - image: The image to transform.
        ///   - isCancelled: A closure that returns whether the image is no longer wanted.
        public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
            var image = image
            for step in steps {
                if isCancelled() { throw .cancelled(step.identifier) }
                image = try step.process(image, isCancelled: isCancelled)
            }
            return image
        }
    }
}

extension AnyImageProcessor {
    /// Returns one step made of several: see ``Processors/Composition``.
    ///
    /// - Parameter steps: The steps, in the order in which they are applied.
    public static func composition(_ steps: [AnyImageProcessor]) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Composition(steps))
    }
}

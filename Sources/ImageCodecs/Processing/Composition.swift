extension Processors {
    /// Several steps as one, each on what the one before has made.
    public struct Composition: ImageProcessor {
        /// In the order in which they are applied.
        public var steps: [AnyImageProcessor]

        /// The steps, in the order in which they are applied.
        public init(_ steps: [AnyImageProcessor]) { self.steps = steps }

        /// Each step's behind its length, so that no two compositions share one.
        public var identifier: String {
            let parts = steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }
            return "imagestreams.composition(\(parts.joined()))"
        }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            try process(image, isCancelled: { false })
        }

        /// Asks before each step, and each step as it does.
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
    /// One step made of several: see ``Processors/Composition``.
    public static func composition(_ steps: [AnyImageProcessor]) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Composition(steps))
    }
}

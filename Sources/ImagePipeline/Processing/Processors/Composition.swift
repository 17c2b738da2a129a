extension Processors {
    /// Several steps as one, each on what the one before has made.
    public struct Composition: ImageProcessor {
        public var steps: [AnyImageProcessor]

        public init(_ steps: [AnyImageProcessor]) { self.steps = steps }

        /// Each step's behind its length, so that no two compositions share one.
        public var identifier: String {
            let parts = steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }
            return "imagestreams.composition(\(parts.joined()))"
        }

        public func process(_ image: Image) throws(ProcessingError) -> Image {
            var image = image
            for step in steps { image = try step.process(image) }
            return image
        }
    }
}

extension AnyImageProcessor {
    public static func composition(_ steps: [AnyImageProcessor]) -> AnyImageProcessor {
        AnyImageProcessor(Processors.Composition(steps))
    }
}

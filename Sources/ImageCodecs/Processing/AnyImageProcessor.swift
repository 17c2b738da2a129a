/// A step whose type is hidden; equal to one that has the same identifier. Built-in steps are its static members, as in
/// `[.resize(in: box), .circle]`.
public struct AnyImageProcessor: ImageProcessor {
    private let processor: any ImageProcessor

    /// Hides the type of a step.
    ///
    /// - Parameter processor: The step whose type to hide.
    public init(_ processor: some ImageProcessor) {
        self.processor = processor
    }

    public var identifier: String { processor.identifier }

    public func process(_ image: Image) throws(ProcessingError) -> Image {
        try processor.process(image)
    }

    public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
        try processor.process(image, isCancelled: isCancelled)
    }
}

extension AnyImageProcessor: Hashable {
    public static func == (left: AnyImageProcessor, right: AnyImageProcessor) -> Bool {
        left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

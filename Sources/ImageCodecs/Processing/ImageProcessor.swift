/// A step that transforms an image after it was decoded.
///
/// A value: what it does depends on nothing but the image and itself, and its identifier says all of that. Built-in
/// identifiers begin with `imagestreams.`.
public protocol ImageProcessor: Sendable {
    /// The name of the step with all its parameters. Caches key on it: two steps that share one must do the same, today
    /// and in the next version.
    var identifier: String { get }

    /// Transforms an image, on the calling thread.
    ///
    /// - Parameter image: The image to transform.
    func process(_ image: Image) throws(ProcessingError) -> Image

    /// Transforms an image, and can be cancelled meanwhile. A step that does not have this one runs to its end.
    ///
    /// - Parameters:
    ///   - image: The image to transform.
    ///   - isCancelled: A closure that returns whether the image is no longer wanted.
    func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image
}

extension ImageProcessor {
    /// Transforms an image, and runs to its end.
    ///
    /// - Parameters:
    ///   - image: The image to transform.
    ///   - isCancelled: A closure that returns whether the image is no longer wanted.
    public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
        try process(image)
    }
}

/// An error of a step that could not transform an image.
public struct ProcessingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The identifier of the step.
    public var processor: String
    /// The reason, in words.
    public var reason: String

    /// Creates an error of the step that has this identifier.
    ///
    /// - Parameters:
    ///   - processor: The identifier of the step.
    ///   - reason: The reason, in words.
    public init(processor: String, reason: String) {
        self.processor = processor
        self.reason = reason
    }

    /// Returns the error of a step that was cancelled.
    ///
    /// - Parameter processor: The identifier of the step.
    public static func cancelled(_ processor: String) -> ProcessingError {
        ProcessingError(processor: processor, reason: "cancelled")
    }

    public var description: String { "\(processor): \(reason)" }
}

/// The built-in steps. Each keeps the image's profile as long as it describes the samples.
public enum Processors {}

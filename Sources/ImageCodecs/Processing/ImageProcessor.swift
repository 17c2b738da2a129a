/// A step that makes an image of an image, after it was decoded.
///
/// A value: what it does depends on nothing but the image and itself, and its identifier says all of that. Built-in
/// identifiers begin with `imagestreams.`.
public protocol ImageProcessor: Sendable {
    /// Names the step and all its parameters. Caches key on it: two steps that share one must do the same, today and in the
    /// next version.
    var identifier: String { get }

    /// Runs on the thread that calls.
    func process(_ image: Image) throws(ProcessingError) -> Image

    /// The same, for a step that takes long: it asks between rows whether the image is still wanted, and throws
    /// ``ProcessingError/cancelled(_:)`` when it is not. A step that does not have this one runs to its end.
    func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image
}

extension ImageProcessor {
    /// Runs to its end.
    public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
        try process(image)
    }
}

/// Why a step made nothing of an image.
public struct ProcessingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step's identifier.
    public var processor: String
    /// What was wrong, in words.
    public var reason: String

    /// An error of the step that has this identifier.
    public init(processor: String, reason: String) {
        self.processor = processor
        self.reason = reason
    }

    /// Nobody wanted the image any more.
    public static func cancelled(_ processor: String) -> ProcessingError {
        ProcessingError(processor: processor, reason: "cancelled")
    }

    public var description: String { "\(processor): \(reason)" }
}

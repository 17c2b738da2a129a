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
}

/// Why a step made nothing of an image.
public struct ProcessingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step's identifier.
    public var processor: String
    public var reason: String

    public init(processor: String, reason: String) {
        self.processor = processor
        self.reason = reason
    }

    public var description: String { "\(processor): \(reason)" }
}

/// An event of a load: `(progress | degraded)* (final finished | failure)`.
///
/// The grammar is the same for any value, and so are the decorators that cache and share loads.
public enum LoadEvent<Value: Sendable>: Sendable {
    /// The number of bytes that have arrived so far.
    case progress(LoadProgress)
    /// A preview of the final value; `quality` grows from 0 towards 1. Caches never keep it.
    case degraded(Value, quality: Double)
    /// The final value, and the stage that it came from. There is exactly one, and the stream finishes behind it.
    case final(Value, Provenance)

    /// The value to show, degraded or final; nil for progress.
    public var value: Value? {
        switch self {
        case .progress: nil
        case .degraded(let value, quality: _), .final(let value, _): value
        }
    }

    /// The final value; nil for every other event.
    public var finalValue: Value? {
        if case .final(let value, _) = self { value } else { nil }
    }
}

/// The number of a body's bytes that have arrived, and of those expected.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes received.
    public var received: Int
    /// The number of bytes in all, if that is known.
    public var expected: Int?

    /// Creates the progress of a body of which `received` bytes have arrived.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received.
    ///   - expected: The number of bytes in all, if that is known.
    public init(received: Int, expected: Int? = nil) {
        self.received = received
        self.expected = expected
    }
}

/// An event of an image's load. Degraded images that a decoder makes have the final image's size; another size in memory
/// (``Source/showingVariants(in:)``) and a lesser image (``ImageRequest/preview``) keep their own.
public typealias ImageEvent = LoadEvent<Image>

extension LoadEvent<Image> {
    /// The image to show, degraded or final; nil for progress.
    public var image: Image? { value }
}

extension LoadEvent {
    var isDegraded: Bool {
        if case .degraded = self { true } else { false }
    }
}

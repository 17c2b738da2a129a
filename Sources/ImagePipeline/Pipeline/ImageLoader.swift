import Streams

/// Loads images from memory, disk, network or file: degraded images on the way, then one final image.
///
/// It is nothing but a composition of public sources and decorators; `standard` is one that suits most programs, and
/// any other is written the same way.
public struct ImageLoader: Source {
    /// The source of the bytes that images are decoded from, for whoever wants them as they are; nil where the loader was created without.
    public let bytes: AnySource<ImageRequest, DataEvent>?
    /// The loads under way that somebody waits for, where the pipeline counts them.
    public let activity: LoadActivity?
    private let source: AnySource<ImageRequest, ImageEvent>

    /// Creates a loader from a pipeline of one's own composition.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from.
    ///   - bytes: The source of the bytes that they are decoded from.
    ///   - activity: The place where the pipeline counts its loads: see ``Source/counted(in:)``.
    public init(
        _ source: some Source<ImageRequest, ImageEvent>, bytes: AnySource<ImageRequest, DataEvent>? = nil,
        activity: LoadActivity? = nil
    ) {
        self.source = AnySource(source)
        self.bytes = bytes
        self.activity = activity
    }

    public func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        source.events(for: request)
    }
}

import Streams

/// Loads images from memory, disk, network or file: degraded images on the way, then one final image.
///
/// It is nothing but a composition of public sources and decorators; `standard` is one that suits most programs, and
/// any other is written the same way.
public struct ImageLoader: Source {
    private let source: AnySource<ImageRequest, ImageEvent>

    /// Creates a loader from a pipeline of one's own composition.
    ///
    /// - Parameter source: The source that images are loaded from.
    public init(_ source: some Source<ImageRequest, ImageEvent>) {
        self.source = AnySource(source)
    }

    public func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        source.events(for: request)
    }
}

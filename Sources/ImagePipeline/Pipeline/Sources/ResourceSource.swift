import Streams

/// A source that sends URLs to one source and everything else to another.
public struct ResourceSource<Remote: Source<ImageRequest, DataEvent>, Local: Source<ImageRequest, DataEvent>>: Source {
    private let remote: Remote
    private let local: Local

    /// Creates a source that sends URLs to one source and everything else to another.
    ///
    /// - Parameters:
    ///   - remote: The source for URLs.
    ///   - local: The source for everything else.
    public init(remote: Remote, local: Local) {
        self.remote = remote
        self.local = local
    }

    public func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        if case .url = request.resource { return remote.events(for: request) }
        return local.events(for: request)
    }
}

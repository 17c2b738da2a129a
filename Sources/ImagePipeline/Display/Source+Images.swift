import Streams

extension Publisher where Output == ImageRequest, Failure == Never {
    /// Loads the newest request only: a new one cancels the load of the one before, and nothing of that follows.
    ///
    ///     requests         a-----b------------|
    ///     images(from:)    -a₁---b₁--b₂--b(final)|
    ///
    /// - Parameter source: The source.
    public func images(
        from source: some Source<ImageRequest, ImageEvent>
    ) -> AnyPublisher<ImageEvent, LoadError> {
        setFailureType(to: LoadError.self).map { source.events(for: $0) }.switchToLatest().eraseToAnyPublisher()
    }
}

import Streams

extension Publisher where Output == ImageEvent {
    /// The images of a load, degraded or final; progress is left out.
    ///
    ///     events     -p--d--p--d--F|
    ///     images     ----d-----d--F|
    ///
    /// Demand, failure, cancellation and thread: the upstream's.
    public var images: AnyPublisher<Image, Failure> {
        compactMap(\.image).eraseToAnyPublisher()
    }

    /// The final image of a load, and nothing else.
    ///
    ///     events         -p--d--p--d--F|
    ///     finalImage     -------------F|
    ///
    /// Demand: everything of the upstream, whose degraded images are made and left out; a request that does not want them says so by
    /// ``ImageRequest/previews``. Failure and thread: the upstream's.
    public var finalImage: AnyPublisher<Image, Failure> {
        compactMap(\.finalValue).eraseToAnyPublisher()
    }
}

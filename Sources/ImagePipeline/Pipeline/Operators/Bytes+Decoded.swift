import Streams

extension Publisher where Output == [UInt8] {
    /// Decodes the bytes of an image as they arrive: progress, degraded images, then the final one.
    ///
    ///     bytes            -f--f--f--f|
    ///     decoded(to:)     -p--d--d---F|
    ///
    /// The stage of a pipeline for bytes that come as a stream: of a camera, a socket, a decryption. Chunks may have any size.
    ///
    /// Demand: a few chunks ahead of what is being decoded; degraded images are made as they are requested, conflated to the newest; the final
    /// image waits. Failure: a body that is not a whole image, or that of the upstream: a ``LoadError`` as it is, any other as
    /// ``LoadError/stream(reason:)``. Cancelling stops the decoder at the next row. Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - rendition: The form in which the image is wanted.
    ///   - limits: The limits of a decode.
    ///   - previews: A Boolean value that determines whether degraded images are made.
    ///   - decoders: The formats known.
    ///   - scheduler: The scheduler that decodes.
    public func decoded<Context: Scheduler>(
        to rendition: Rendition = .original, limits: DecodeLimits = .safe, previews: Bool = true,
        decoders: ImageDecoders = .standard, on scheduler: Context
    ) -> AnyPublisher<ImageEvent, LoadError> {
        let source = AnySource<ImageRequest, DataEvent> { [self] _ in
            mapError(LoadError.init(ofStream:)).dataEvents
        }
        return source.decoded(limits: limits, previews: previews, decoders: decoders, on: scheduler)
            .events(for: ImageRequest(.data([]), as: rendition, previews: previews))
    }

    /// Decodes the bytes of an image as they arrive, on the thread on which they do.
    ///
    /// - Parameters:
    ///   - rendition: The form in which the image is wanted.
    ///   - limits: The limits of a decode.
    ///   - previews: A Boolean value that determines whether degraded images are made.
    ///   - decoders: The formats known.
    public func decoded(
        to rendition: Rendition = .original, limits: DecodeLimits = .safe, previews: Bool = true,
        decoders: ImageDecoders = .standard
    ) -> AnyPublisher<ImageEvent, LoadError> {
        decoded(to: rendition, limits: limits, previews: previews, decoders: decoders, on: ImmediateScheduler())
    }
}

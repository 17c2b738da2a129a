import Streams

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Decodes bytes into images as they arrive: progress, degraded images, then the final one.
    ///
    /// When the final image is there before its bytes are (`ImageDecoder.needsNoMoreBytes`), the upstream is cancelled: a
    /// thumbnail of a progressive JPEG stops its download. A cache of bodies upstream then keeps nothing, as what has come is not
    /// whole; so the last 64 KB of a transfer are waited for.
    ///
    /// A body that is no image, or not a whole one, is discarded from the cache that it comes from (``DataResponse/discard``), and so is
    /// one that the cache's medium does not give back whole. If it was there before this load, the load begins anew, once. So a page
    /// that a server once sent in place of a picture fails one load, and not all that come after it.
    ///
    /// - Parameters:
    ///   - limits: The limits of a decode; a load that exceeds one fails.
    ///   - previews: A Boolean value that determines whether degraded images are made for requests that want them. They
    ///     are skipped while nobody waits for one, and where they would take more than a quarter of the load's time,
    ///     by the scheduler's clock; the first one is made in any case.
    ///   - decoders: The formats known.
    ///   - scheduler: The scheduler that decodes; one image's chunks are decoded one after the other.
    public func decoded<Context: Scheduler>(
        limits: DecodeLimits = .safe, previews: Bool = true, decoders: ImageDecoders = .standard, on scheduler: Context
    ) -> some Source<ImageRequest, ImageEvent> {
        DecodedSource(upstream: self, limits: limits, previews: previews, decoders: decoders, scheduler: scheduler)
    }
}

private struct DecodedSource<Upstream: Source<ImageRequest, DataEvent>, Context: Scheduler>: Source {
    let upstream: Upstream
    let limits: DecodeLimits
    let previews: Bool
    let decoders: ImageDecoders
    let scheduler: Context

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        reloadingDiscarded { response in
            ConflatedEvents(previews: previews && request.previews) { subscription in
                let slot = SingleAssignmentDisposable()
                let options = DecodeOptions(
                    as: request.rendition, limits: limits, previews: previews && request.previews,
                    isCancelled: { subscription.isCancelled }, decoders: decoders)
                upstream.events(for: request).noting(response).receive(on: scheduler)
                    .subscribe(
                        DecodingSubscriber(
                            options: options, interest: request.previewInterest, scheduler: scheduler,
                            subscription: subscription, upstream: slot))
                return slot
            }.eraseToAnyPublisher()
        }
    }
}

import Streams

extension Publisher where Output == ImageEvent, Failure == LoadError {
    /// Applies processors, in their order, to the images of a load, the degraded ones included.
    ///
    ///     pipeline.events(for: request).processed(by: .circle, .blur(sigma: 2), on: workers)
    ///
    /// Unlike the processors of a request's rendition these are part of no key: nothing is kept of what they make.
    ///
    /// Demand: the upstream's. Failure: the upstream's, or that of a processor. A cancel is noticed before each step, and by those that take
    /// long between rows. Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - processors: The steps.
    ///   - scheduler: The scheduler that processes, one image after the other.
    public func processed<Context: Scheduler>(
        by processors: AnyImageProcessor..., on scheduler: Context
    ) -> AnyPublisher<ImageEvent, LoadError> {
        var rendition = Rendition.original
        rendition.processors = processors
        return AnySource<ImageRequest, ImageEvent> { [self] _ in eraseToAnyPublisher() }
            .processed(on: scheduler)
            .events(for: ImageRequest(.data([]), as: rendition))
    }
}

import Dispatch
import Streams

extension Source {
    /// Returns the final value of a load.
    ///
    /// Cancelling the task cancels the load; its transfer is closed unless another subscriber waits for it.
    ///
    /// - Parameter request: The value to load.
    /// - Returns: The final value, from whichever tier has it.
    /// - Throws: The load's error, or ``LoadError/cancelled`` when the task was cancelled.
    public func value<Value>(for request: Request) async throws(LoadError) -> Value where Event == LoadEvent<Value> {
        if Task.isCancelled { throw .cancelled }
        var values = events(for: request).compactMap(\.finalValue).values.makeAsyncIterator()
        if let value = try await values.next() { return value }
        throw Task.isCancelled ? .cancelled : .unsupported("the source has finished without a final value")
    }

    /// Returns the final value of a load that comes in time.
    ///
    /// - Parameters:
    ///   - request: The value to load.
    ///   - limit: The longest time to wait, for everything together.
    ///   - scheduler: The scheduler that measures time.
    /// - Returns: The final value, from whichever tier has it.
    /// - Throws: The load's error, ``LoadError/timedOut(_:)``, or ``LoadError/cancelled`` when the task was cancelled.
    public func value<Value, Context: Scheduler>(
        for request: Request, within limit: Duration, on scheduler: Context = DispatchQueue.global()
    ) async throws(LoadError) -> Value where Event == LoadEvent<Value> {
        try await timingOut(after: limit, on: scheduler).value(for: request)
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Returns the final image of a request.
    ///
    ///     let image = try await pipeline.image(for: request)
    ///
    /// Degraded images are neither rendered nor delivered for this caller, whatever ``ImageRequest/previews`` says, but where the first good one
    /// is the final one (``ImageDelivery/fast(quality:)``). Cancelling the task cancels the load; its transfer is closed unless another
    /// subscriber waits for it.
    ///
    /// - Parameter request: The image to load, and the size to decode it at.
    /// - Returns: The final image, from whichever tier has it.
    /// - Throws: The load's error, or ``LoadError/cancelled`` when the task was cancelled.
    public func image(for request: ImageRequest) async throws(LoadError) -> Image {
        try await value(for: request.forItsFinal)
    }

    /// Returns the final image of a request that comes in time.
    ///
    ///     let image = try await pipeline.image(for: request, within: .seconds(10))
    ///
    /// - Parameters:
    ///   - request: The image to load, and the size to decode it at.
    ///   - limit: The longest time to wait, for everything together: for a turn, for all attempts, for the transfer and the decoder.
    ///   - scheduler: The scheduler that measures time.
    /// - Returns: The final image, from whichever tier has it.
    /// - Throws: The load's error, ``LoadError/timedOut(_:)``, or ``LoadError/cancelled`` when the task was cancelled.
    public func image<Context: Scheduler>(
        for request: ImageRequest, within limit: Duration, on scheduler: Context = DispatchQueue.global()
    ) async throws(LoadError) -> Image {
        try await value(for: request.forItsFinal, within: limit, on: scheduler)
    }

    /// Returns the images of a request as an asynchronous sequence: degraded ones, then the final one.
    ///
    ///     for try await image in pipeline.images(for: request) { view.image = image }
    ///
    /// Each turn of the loop requests one image, and gets the newest there is; the final one is never left out. Leaving the loop or
    /// cancelling its task cancels the load. For progress as well, iterate over `events(for:).values`.
    ///
    /// - Parameter request: The image to load, and the size to decode it at.
    public func images(for request: ImageRequest) -> AsyncPublisher<AnyPublisher<Image, LoadError>> {
        events(for: request).images.values
    }
}

extension ImageRequest {
    var withoutPreviews: ImageRequest {
        var request = self
        request.previews = false
        return request
    }

    /// The request of whoever waits for the final image alone, which may be a preview that is good enough.
    var forItsFinal: ImageRequest {
        if case .fast = delivery { self } else { withoutPreviews }
    }
}

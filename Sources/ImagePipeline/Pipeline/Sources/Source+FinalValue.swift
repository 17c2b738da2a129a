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
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Returns the final image of a request.
    ///
    ///     let image = try await pipeline.image(for: request)
    ///
    /// Degraded images are neither rendered nor delivered for this caller, whatever ``ImageRequest/previews`` says. Cancelling the
    /// task cancels the load; its transfer is closed unless another subscriber waits for it.
    ///
    /// - Parameter request: The image to load, and the size to decode it at.
    /// - Returns: The final image, from whichever tier has it.
    /// - Throws: The load's error, or ``LoadError/cancelled`` when the task was cancelled.
    public func image(for request: ImageRequest) async throws(LoadError) -> Image {
        var request = request
        request.previews = false
        return try await value(for: request)
    }
}

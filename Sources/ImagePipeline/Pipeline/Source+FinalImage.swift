import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Returns the final image of a request.
    ///
    ///     let image = try await pipeline.image(for: request)
    ///
    /// Degraded images are neither rendered nor delivered for this caller, whatever ``ImageRequest/previews`` says. Cancelling the
    /// task cancels the load; its transfer is closed if nobody else wants it.
    ///
    /// - Parameter request: The image to load, and the size to decode it at.
    /// - Returns: The final image, from whichever tier has it.
    /// - Throws: The load's error, or ``LoadError/cancelled`` when the task was cancelled.
    public func image(for request: ImageRequest) async throws(LoadError) -> Image {
        if Task.isCancelled { throw .cancelled }
        var request = request
        request.previews = false
        var images = events(for: request).compactMap(\.finalImage).values.makeAsyncIterator()
        if let image = try await images.next() { return image }
        throw Task.isCancelled ? .cancelled : .unsupported("the source has finished without a final image")
    }
}

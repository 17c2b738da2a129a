import Streams

/// The events of a load that a subscriber has not requested yet, conflated.
///
/// Kept are the newest image, the newest progress behind it, and the end. A final value takes the place of a degraded one; nothing takes
/// the place of a final value. Progress holds nothing up: an end overtakes it, and an image takes its place.
struct Conflation<Value: Sendable>: Sendable {
    /// The event to deliver next.
    enum Step: Sendable {
        case event(LoadEvent<Value>)
        case end(Subscribers.Completion<LoadError>)
    }

    private var image: LoadEvent<Value>?
    private var progress: LoadEvent<Value>?
    private var completion: Subscribers.Completion<LoadError>?

    mutating func keep(_ event: LoadEvent<Value>) {
        switch (image, event) {
        case (_, .progress): progress = event
        // Whoever wraps several loads may send one behind another's end.
        case (.final, .degraded): break
        default:
            image = event
            progress = nil
        }
    }

    mutating func end(_ completion: Subscribers.Completion<LoadError>) {
        self.completion = completion
        progress = nil
    }

    /// Removes and returns the next step; nil where there is none, or none without demand.
    mutating func next(hasDemand: Bool) -> Step? {
        if image != nil || progress != nil {
            guard hasDemand else { return nil }
            return (image.take() ?? progress.take()).map { .event($0) }
        }
        return completion.map { .end($0) }
    }

    /// The events for a subscriber that joins now.
    ///
    /// - Parameter previews: whether degraded values are wanted.
    func forJoiner(previews: Bool) -> Conflation {
        guard !previews, case .degraded? = image else { return self }
        var rest = self
        rest.image = nil
        return rest
    }
}

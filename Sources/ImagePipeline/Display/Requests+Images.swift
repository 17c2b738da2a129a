import Streams

extension Publisher where Output == ImageRequest, Failure == Never {
    /// Loads the newest request: a new one cancels the load of the one before, and nothing of that follows.
    ///
    ///     requests         a-----b-------x---c------------|
    ///     images(from:)    -a₁---b₁--b₂--x!--c₁--c(final)|
    ///
    /// An ``ImageSlot`` as a stream. A load that fails delivers ``ImageSlot/State/failed(_:)``, and the stream goes on with the next
    /// request; it finishes when the requests have and the newest load has ended.
    ///
    /// Demand: every request; events are asked of the newest load as they are requested. Thread: that of the source.
    ///
    /// - Parameter source: The source that images are loaded from.
    public func images(
        from source: some Source<ImageRequest, ImageEvent>
    ) -> AnyPublisher<ImageSlot.Content, Never> {
        map { source.contents(for: $0) }.switchToLatest().eraseToAnyPublisher()
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// The contents of a slot that shows one request and nothing else.
    fileprivate func contents(for request: ImageRequest) -> AnyPublisher<ImageSlot.Content, Never> {
        Deferred {
            var state = SlotState()
            _ = state.begin(request, keepingImage: false)
            return events(for: request).materialize().stage(ContentStage(beginning: state))
        }
        .eraseToAnyPublisher()
    }
}

/// Shows each event of a load, as a slot does whose context is always free. A stream shows no placeholder first: only what is in
/// memory is sure to come at once.
private struct ContentStage: ValueStage {
    typealias Input = Publishers.Signal<ImageEvent, LoadError>
    typealias Output = ImageSlot.Content
    typealias UpstreamFailure = Never

    private static var look: SlotLook { SlotLook(placeholder: nil, failureImage: nil, reportsProgress: true) }

    let beginning: SlotState

    func makeState() -> SlotState { beginning }

    func receive(_ input: Input, _ state: inout SlotState) -> Stages.Step<ImageSlot.Content, Never> {
        switch input {
        case .value(let event): _ = state.receive(event, of: 1, reportsProgress: true)
        case .failure(let error): _ = state.receive(.failure(error), of: 1)
        case .finished: _ = state.receive(.finished, of: 1)
        }
        guard var content = state.nextContent(Self.look)?.content else { return .skip }
        if case .final(.memory) = content.state {} else { content.cameAtOnce = false }
        return .next(content)
    }
}

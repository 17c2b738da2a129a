import Streams

extension Publisher where Output == DataEvent {
    func noting(_ response: Noted<DataResponse>) -> some Publisher<DataEvent, Failure> {
        handleEvents(receiveOutput: { event in
            if case .response(let new) = event { response.note(new) }
        })
    }
}

/// Discards a body that nothing could be made of, and loads once more if it came from a cache.
///
/// - Parameter load: Begins a load, and notes its response.
func reloadingDiscarded<Event: Sendable>(
    _ load: @escaping @Sendable (Noted<DataResponse>) -> AnyPublisher<Event, LoadError>
) -> AnyPublisher<Event, LoadError> {
    @Sendable func attempt(isLast: Bool) -> AnyPublisher<Event, LoadError> {
        Deferred { () -> AnyPublisher<Event, LoadError> in
            let response = Noted<DataResponse>()
            return load(response).catch { error -> AnyPublisher<Event, LoadError> in
                guard error.blamesBody, let discard = response.value?.discard else {
                    return Fail(error: error).eraseToAnyPublisher()
                }
                return discard().setFailureType(to: LoadError.self)
                    .flatMap { wasCached in
                        wasCached && !isLast ? attempt(isLast: true) : Fail(error: error).eraseToAnyPublisher()
                    }
                    .eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
    return attempt(isLast: false)
}

extension LoadError {
    /// Whether the body is at fault, not a limit, the memory or whoever cancelled.
    var blamesBody: Bool {
        switch self {
        case .decode(.unknownFormat), .decode(.truncated), .decode(.corrupt), .decode(.unsupported), .value, .cache,
            .notAnImage:
            true
        default: false
        }
    }
}

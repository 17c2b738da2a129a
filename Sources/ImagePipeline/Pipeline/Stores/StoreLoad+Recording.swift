import Streams

extension BodyStore {
    /// The bytes beside the body of a key, where there is one: mostly there is none, and it need not be looked into.
    func metadata(for key: CacheKey) throws -> [UInt8]? {
        try hasBody(for: key) ? storedBody(for: key)?.metadata : nil
    }
}

extension StoreLoad {
    /// Whether a body is older than one in the store, by the bytes beside them.
    typealias IsOlder = @Sendable (_ own: [UInt8], _ present: [UInt8]) -> Bool

    /// Keeps a body that passes by. What the store takes it takes beside the load, which waits only where the store falls far behind, for
    /// the store's time at most, and at its end until the body is in the store.
    ///
    /// - Parameters:
    ///   - brought: The load that brings it: what is newer than the body stays.
    ///   - replaces: Whether what is there goes where the body does not take its place.
    ///   - isOlder: Returns whether it takes no place, being older than what the store has by then, of another process.
    ///   - metadata: Returns the bytes kept beside it; nil where it may not be stored.
    func recorded(
        _ events: AnyPublisher<DataEvent, LoadError>, as brought: WriteOrder.Load, replaces: Bool,
        unless isOlder: IsOlder? = nil, metadata: @escaping @Sendable (DataResponse) -> [UInt8]?
    ) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            if allowance.isSpent || tier.health.isPaused { return events }
            let recording = BodyRecording(in: store, as: key, by: brought, unless: isOlder)
            let recorded = AnyPublisher<DataEvent, LoadError>.create { emitter in
                let recorder = BodyRecorder(of: self, emitter: emitter, recording: recording, metadata: metadata)
                events.subscribe(RecordedSubscriber(recorder: recorder))
                emitter.onRequest { recorder.request($0) }
                return Disposable { recorder.cancel() }
            }
            return replaces ? replacing(recorded, by: recording, as: brought) : recorded
        }.eraseToAnyPublisher()
    }

    /// Removes what is there when a response has come that has not taken its place: it is not to be kept, or the store has not taken it, or no
    /// more of it is wanted than its beginning. One that is cut takes nobody's place.
    private func replacing(
        _ events: AnyPublisher<DataEvent, LoadError>, by recording: BodyRecording, as brought: WriteOrder.Load
    ) -> AnyPublisher<DataEvent, LoadError> {
        let newer = Noted<Provenance>()
        let place = { @Sendable () -> WriteOrder.Place? in
            guard let provenance = newer.value, !recording.isSettled else { return nil }
            return brought.place(for: provenance)
        }
        return events.handleEvents(
            receiveOutput: { event in
                if case .response(let response) = event, response.status != 304 { newer.note(response.provenance) }
            },
            receiveCancel: {
                if let place = place() { aside(at: place) { try store.removeBody(for: key) } }
            }
        )
        .append(Deferred { place().map { remove(at: $0) } ?? Empty().eraseToAnyPublisher() })
        .eraseToAnyPublisher()
    }
}

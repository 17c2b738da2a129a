import Streams

extension Source where Event == DataEvent {
    /// Decodes whole bodies into values of any type: progress while bytes arrive, then the value.
    ///
    ///     let days = bytes.decoded(on: workers) { try JSONDecoder().decode(Day.self, from: Data($0)) }
    ///
    /// A body that the closure refuses is discarded from the cache that it comes from; if it was there before this load, the load
    /// begins anew, once. Demand: the upstream's; each chunk becomes one event.
    ///
    /// - Parameters:
    ///   - limit: The largest body in bytes. A larger one fails the load, so that no server can fill the memory.
    ///   - scheduler: The scheduler that decodes.
    ///   - decode: Makes a value of a whole body. An error that it throws fails the load with
    ///     ``LoadError/value(reason:)``.
    public func decoded<Value: Sendable, Context: Scheduler>(
        upTo limit: Int = 16 << 20, on scheduler: Context, _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) -> some Source<Request, LoadEvent<Value>> {
        AnySource { [self] request in
            reloadingDiscarded { response in
                events(for: request).noting(response).receive(on: scheduler)
                    .materialize()
                    .setFailureType(to: LoadError.self)
                    .stage(BodyStage(limit: limit, decode: decode))
                    .eraseToAnyPublisher()
            }
        }
    }
}

/// Collects a body and decodes it at its end.
private struct BodyStage<Value: Sendable>: Stage {
    typealias Input = Publishers.Signal<DataEvent, LoadError>
    typealias Output = LoadEvent<Value>
    typealias UpstreamFailure = LoadError
    typealias Failure = LoadError

    struct State: Sendable {
        var body: [UInt8] = []
        var expected: Int?
        var provenance = Provenance.data
    }

    static var endsEarly: Bool { true }

    let limit: Int
    let decode: @Sendable ([UInt8]) throws -> Value

    func makeState() -> State { State() }

    func failure(_ failure: LoadError) -> LoadError { failure }

    func receive(_ input: Input, _ state: inout State) -> Stages.Step<LoadEvent<Value>, LoadError> {
        switch input {
        case .value(.response(let response)):
            // A further one brings the body once more from its first byte on.
            state.body = []
            state.expected = response.expectedLength
            state.provenance = response.provenance
            return response.expectedLength ?? 0 > limit ? .fail(tooLarge) : .skip
        case .value(.chunk(let bytes)):
            guard state.body.count + bytes.count <= limit else { return .fail(tooLarge) }
            state.body += bytes
            return .next(.progress(LoadProgress(received: state.body.count, expected: state.expected)))
        case .failure(let error):
            return .fail(error)
        case .finished:
            do {
                return .last(.final(try decode(state.body), state.provenance))
            } catch {
                return .fail(.value(reason: "\(error)"))
            }
        }
    }

    private var tooLarge: LoadError { .unsupported("a body of more than \(limit) bytes") }
}

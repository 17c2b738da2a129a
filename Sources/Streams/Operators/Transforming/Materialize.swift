extension Publishers {
    /// A signal as a value, as `materialize` delivers it and `dematerialize` takes it.
    @frozen
    public enum Signal<Output: Sendable, Failure: Error>: Sendable {
        /// A value of the stream.
        case value(Output)
        /// The end of a stream that did not fail.
        case finished
        /// The failure that ended a stream.
        case failure(Failure)
    }
}

extension Publishers.Signal: Equatable where Output: Equatable, Failure: Equatable {}
extension Publishers.Signal: Hashable where Output: Hashable, Failure: Hashable {}

extension Publisher {
    /// Delivers each signal as a value, including the completion, after which the stream finishes.
    ///
    ///     upstream         1----2----✕
    ///     materialize()    v1---v2---fail|
    ///
    /// Demand: the upstream's; the end, being a value, waits for a request. Failure: never, it is a value. Thread: the
    /// upstream's, or that of the request.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func materialize() -> Publishers.Materialize<Self> {
        map { Publishers.Signal<Output, Failure>.value($0) }
            .append(Just(.finished).setFailureType(to: Failure.self))
            .catch { Just(.failure($0)) }
    }
}

extension Publisher where Failure == Never {
    /// Turns values that represent signals back into signals.
    ///
    ///     original           1----2----✕
    ///     upstream           v1---v2---fail|
    ///     dematerialize()    1----2----✕
    ///
    /// Demand and thread are the upstream's. Failure: the one that comes as a value. The upstream is cancelled at the end.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func dematerialize<Value: Sendable, Error: Swift.Error>() -> Publishers.Dematerialize<Self, Value, Error>
    where Output == Publishers.Signal<Value, Error> {
        Publishers.Dematerialize(upstream: setFailureType(to: Error.self), logic: Stages.Dematerialize())
    }
}

extension Publishers {
    /// Delivers each signal as a value.
    public typealias Materialize<Upstream: Publisher> = Catch<
        Concatenate<
            Map<Upstream, Signal<Upstream.Output, Upstream.Failure>>,
            SetFailureType<Just<Signal<Upstream.Output, Upstream.Failure>>, Upstream.Failure>
        >, Just<Signal<Upstream.Output, Upstream.Failure>>
    >
    /// Turns values that represent signals back into signals.
    public typealias Dematerialize<Upstream: Publisher, Value: Sendable, Error: Swift.Error> = Staged<
        SetFailureType<Upstream, Error>, Stages.Dematerialize<Value, Error>
    > where Upstream.Output == Signal<Value, Error>, Upstream.Failure == Never
}

extension Stages {
    /// The logic of `dematerialize`.
    @frozen
    public struct Dematerialize<Output: Sendable, UpstreamFailure: Error>: ValueStage {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        @inlinable @inline(__always)
        public func receive(
            _ input: Publishers.Signal<Output, UpstreamFailure>, _ state: inout Void
        ) -> Stages.Step<Output, UpstreamFailure> {
            switch input {
            case .value(let value): .next(value)
            case .finished: .finish
            case .failure(let failure): .fail(failure)
            }
        }
    }
}

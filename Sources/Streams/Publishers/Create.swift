extension AnyPublisher {
    /// Makes a publisher of a callback API.
    ///
    ///     AnyPublisher.create { emitter in
    ///         let request = api.start { emitter.onNext($0) }
    ///         return Disposable { request.cancel() }
    ///     }
    ///
    /// - Parameters:
    ///   - strategy: What becomes of values that nobody has requested.
    ///   - factory: Starts the work for one subscriber, on the thread that subscribes, after the subscriber has got its
    ///     subscription. What it returns is cancelled exactly once: on cancel, failure or completion; on arrival if that
    ///     came before the factory returned.
    ///
    /// The emitter may be used from any thread, any number of times, inside the factory too. What is sent is delivered
    /// serially, within the demand; a completion waits behind values that are kept. What is sent after the end is
    /// dropped.
    @inlinable
    public static func create(
        _ strategy: BackpressureStrategy<Failure> = .unbounded,
        _ factory: @escaping @Sendable (Emitter<Output, Failure>) -> any Cancellable
    ) -> AnyPublisher {
        Publishers.Create(strategy, factory).eraseToAnyPublisher()
    }
}

extension Publishers {
    /// A publisher made of a callback API; see `AnyPublisher.create`.
    @frozen
    public struct Create<Output: Sendable, Failure: Error>: Publisher {
        @usableFromInline let strategy: BackpressureStrategy<Failure>
        @usableFromInline let factory: @Sendable (Emitter<Output, Failure>) -> any Cancellable

        /// See `AnyPublisher.create`.
        @inlinable
        public init(
            _ strategy: BackpressureStrategy<Failure> = .unbounded,
            _ factory: @escaping @Sendable (Emitter<Output, Failure>) -> any Cancellable
        ) {
            self.strategy = strategy
            self.factory = factory
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            EmitterCore(AnySubscriber(subscriber), strategy: strategy).start(factory)
        }
    }
}

/// What the factory of `create` sends with. Any thread may use it, at any time, as often as it likes.
@frozen
public struct Emitter<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let core: EmitterCore<Output, Failure>

    @inlinable
    init(core: EmitterCore<Output, Failure>) {
        self.core = core
    }

    /// Sends a value.
    @inlinable @inline(__always)
    public func onNext(_ value: Output) { core.send(value) }

    /// Ends the stream with a failure, behind the values that are kept.
    @inlinable
    public func onError(_ error: Failure) { core.send(completion: .failure(error)) }

    /// Ends the stream, behind the values that are kept.
    @inlinable
    public func onComplete() { core.send(completion: .finished) }

    /// Sends a value.
    @inlinable @inline(__always)
    public func send(_ value: Output) { core.send(value) }

    /// Ends the stream, behind the values that are kept.
    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// Whether nothing that is sent will be delivered any more: the stream was cancelled or has ended.
    @inlinable
    public var isCancelled: Bool { core.gate.isClosed }

    /// What the subscriber has requested and not yet got.
    @inlinable
    public var requested: Subscribers.Demand {
        let demand = core.gate.demand
        return demand == .max ? .unlimited : .max(demand)
    }

    /// Calls a closure with each request of the subscriber, once with all that came before: the way to pass demand on
    /// to where the values come from. It is called on the thread that requests, and let go of at the end.
    @inlinable
    public func onRequest(_ handler: @escaping @Sendable (Subscribers.Demand) -> Void) { core.onRequest(handler) }
}

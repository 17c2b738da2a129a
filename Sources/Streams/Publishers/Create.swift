extension AnyPublisher {
    /// Makes a publisher of a callback API.
    ///
    ///     AnyPublisher.create { emitter in
    ///         let request = api.start { emitter.onNext($0) }
    ///         return Disposable { request.cancel() }
    ///     }
    ///
    /// - Parameters:
    ///   - strategy: Decides about values that were not requested; see `BackpressureStrategy`.
    ///   - factory: Starts the work for one subscriber, on the thread that subscribes, after the subscriber has got its
    ///     subscription. What it returns is cancelled exactly once: on cancel, failure or completion; on arrival if that
    ///     came before the factory returned.
    ///
    /// The emitter may be used from any thread, any number of times, inside the factory too. Values are delivered one at
    /// a time, in the order in which they were sent, on the thread that sends, or on one that requests or delivers. A
    /// completion waits behind values that are kept. Anything sent after the end is dropped.
    ///
    /// Demand: a value takes one off the demand when it is sent, and is delivered even where others have to go first.
    /// Demand counts from the moment at which it is requested, or returned for a value, from inside a value too; it goes
    /// to the oldest values that are kept, then to what is sent. The strategy decides about a value that finds none left;
    /// a value that is just being delivered has used its own up.
    @preconcurrency
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

        /// Creates a publisher from a callback API; see `AnyPublisher.create`.
        ///
        /// - Parameters:
        ///   - strategy: The treatment of values that find no demand.
        ///   - factory: A closure that starts the work for a subscriber, and returns what stops it.
        @preconcurrency
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
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            EmitterCore(subscriber, strategy: strategy).start(factory)
        }
    }
}

/// The sending end of a stream made by `create`. Any thread may use it, at any time, as often as it likes.
@frozen
public struct Emitter<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let core: EmitterCore<Output, Failure>

    @inlinable
    init(core: EmitterCore<Output, Failure>) {
        self.core = core
    }

    /// Sends a value.
    ///
    /// - Parameter value: The value to send.
    @inlinable @inline(__always)
    public func onNext(_ value: Output) { core.send(value) }

    /// Ends the stream with a failure, after the values that are kept.
    ///
    /// - Parameter error: The failure to send.
    @inlinable
    public func onError(_ error: Failure) { core.send(completion: .failure(error)) }

    /// Ends the stream, after the values that are kept.
    @inlinable
    public func onComplete() { core.send(completion: .finished) }

    /// Sends a value.
    ///
    /// - Parameter value: The value to send.
    @inlinable @inline(__always)
    public func send(_ value: Output) { core.send(value) }

    /// Ends the stream, after the values that are kept.
    ///
    /// - Parameter completion: The completion to send.
    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// A Boolean value that indicates whether the stream was cancelled or has ended: anything sent now is dropped.
    @inlinable
    public var isCancelled: Bool { core.gate.isClosed }

    /// The number of values that may be sent before the strategy has to decide about one.
    ///
    /// It falls with each value that is sent, whether that has been delivered or has to wait for others, and rises with
    /// each request. It is `.none` once the stream has ended or was cancelled, so a loop that sends while it is not ends.
    /// A source that sends from one thread, and only while this is more than `.none`, never exceeds the demand.
    @inlinable
    public var requested: Subscribers.Demand { core.requested }

    /// Calls a closure with the demand of the subscriber, first with all that it has requested so far: the way to pass
    /// demand on to the producer.
    ///
    ///     emitter.onRequest { _ in
    ///         while emitter.requested > .none { emitter.send(source.next()) }
    ///     }
    ///
    /// The closure is called by one thread at a time, and never from inside a delivery: on the thread that requests or
    /// that sets it, or on the one that delivers or is inside the closure at that moment, when it is through with that.
    /// Requests that come meanwhile are told as one, and what another thread sends may be delivered meanwhile. It is
    /// released when the stream ends or is cancelled.
    ///
    /// - Parameter handler: A closure that is called with each request.
    @preconcurrency
    @inlinable
    public func onRequest(_ handler: @escaping @Sendable (Subscribers.Demand) -> Void) { core.onRequest(handler) }
}

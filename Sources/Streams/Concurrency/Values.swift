extension Publisher {
    /// The values as an asynchronous sequence, which throws the publisher's failure; with no failure, no `try`.
    ///
    ///     for await value in publisher.values { … }
    ///
    /// Demand: one value for each `next()` that finds none waiting. Whatever makes its values on request, or keeps them until
    /// then, loses nothing, however long the loop takes over each: a sequence, `create`, `buffer`, `receive(on:)`, a
    /// `ReplaySubject`. A subject sends to those who have requested a value: of what a `PassthroughSubject`, and whatever
    /// shares or times it, sends while the loop is busy, nothing arrives, so of a burst only the first value does; of a
    /// `CurrentValueSubject` the first and then the newest. Where more is wanted, use `values(buffering: .unbounded)`, or
    /// whichever strategy fits. What a publisher delivers beyond the request is kept.
    ///
    /// Each iteration subscribes when its iterator is made. Cancelling the task, or letting go of the iterator, cancels the
    /// upstream; the loop then ends without an error.
    public var values: AsyncPublisher<Self> {
        AsyncPublisher(self)
    }

    /// Returns the values as an asynchronous sequence that requests everything from the publisher, and keeps what the
    /// loop has not yet asked for as the strategy says.
    ///
    ///     for await frame in frames.values(buffering: .latest) { … }
    ///
    /// Otherwise as `values`, which asks for one value after the other.
    ///
    /// - Parameter strategy: The treatment of values that come while the loop is busy.
    public func values(buffering strategy: BackpressureStrategy<Failure>) -> AsyncPublisher<Publishers.Buffer<Self>> {
        buffer(size: strategy.limit, prefetch: .byRequest, whenFull: strategy.whenFull).values
    }
}

extension BackpressureStrategy {
    /// The same for `buffer`.
    var whenFull: Publishers.BufferingStrategy<Failure> {
        switch overflow {
        case .dropOldest: .dropOldest
        case .dropNewest: .dropNewest
        case .fail(let error): .customError(error)
        }
    }
}

/// The sequence of a publisher that may fail, under the name that Combine gives it. Here both sequences are one type,
/// whose failure is typed.
public typealias AsyncThrowingPublisher = AsyncPublisher

/// The values of a publisher as an asynchronous sequence.
public struct AsyncPublisher<P: Publisher>: AsyncSequence, Sendable {
    public typealias Element = P.Output
    public typealias Failure = P.Failure

    @usableFromInline let publisher: P

    /// Creates a sequence of a publisher's values.
    ///
    /// - Parameter publisher: Subscribed to by each iteration.
    @inlinable
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    @inlinable
    public func makeAsyncIterator() -> Iterator {
        let bridge = AsyncBridge<P.Output, P.Failure>()
        publisher.receive(subscriber: bridge)
        return Iterator(bridge)
    }

    /// An iterator for one task.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let bridge: AsyncBridge<P.Output, P.Failure>
        /// Cancels with the iterator's last copy; the publisher holds only the bridge.
        @usableFromInline let lifetime: AnyCancellable

        @inlinable
        init(_ bridge: AsyncBridge<P.Output, P.Failure>) {
            self.bridge = bridge
            lifetime = AnyCancellable(bridge)
        }

        /// Returns the next value, or nil at the end or when the task is cancelled.
        @inlinable
        public mutating func next() async throws(P.Failure) -> P.Output? {
            try await next(isolation: nil)
        }

        /// Returns the next value, or nil at the end or when the task is cancelled.
        ///
        /// - Parameter actor: The actor to resume on.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
            try await bridge.next(isolation: actor)?.get()
        }
    }
}

@available(*, unavailable)
extension AsyncPublisher.Iterator: Sendable {}

extension Publisher {
    // The compiler tries overloads in their order, and the disfavoured one only where no other fits. Both count behind operators whose
    // types are still open: with all of Combine's three on a par, four operators around `append(7)` took it 5 s instead of 0.2, and with
    // the publisher's first, 3 s instead of 0.4. The publisher's is not disfavoured: `[1].publisher.append([2].publisher)` would be of
    // two values of any type then. So would `map { [$0] }.append([[1], [2]])` without the array's, which Combine has not got.

    /// Delivers this publisher's values, then the given elements.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Delivers this publisher's values, then the elements of an array.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func append(_ elements: [Output]) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Delivers this publisher's values, then the elements of a sequence.
    ///
    /// - Parameter elements: The elements to deliver.
    @_disfavoredOverload
    @inlinable
    public func append<S: Swift.Sequence & Sendable>(
        _ elements: S
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Delivers this publisher's values, then those of another.
    ///
    ///     upstream        1-2|
    ///     append(3, 4)    1-2(34|)
    ///
    /// The other is subscribed to when this one has finished, and gets the demand that is left. A failure of this one
    /// ends it. Thread: that of whichever delivers. A chain that is erased as it grows, however long, takes no stack, and a
    /// value no longer.
    ///
    /// - Parameter publisher: The publisher whose values follow.
    @inlinable @inline(__always)
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    /// Delivers the given elements, then this publisher's values.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Delivers the elements of an array, then this publisher's values.
    ///
    /// - Parameter elements: The elements to deliver.
    @inlinable
    public func prepend(_ elements: [Output]) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Delivers the elements of a sequence, then this publisher's values.
    ///
    /// - Parameter elements: The elements to deliver.
    @_disfavoredOverload
    @inlinable
    public func prepend<S: Swift.Sequence & Sendable>(
        _ elements: S
    ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Delivers another publisher's values before this one's.
    ///
    ///     upstream         ------1-2|
    ///     prepend(8, 9)    (89)--1-2|
    ///
    /// Demand: this one is subscribed to when the other has finished, and gets what is left. Failure: the first of either.
    /// Thread: that of whichever delivers.
    ///
    /// - Parameter publisher: The publisher whose values come first.
    @inlinable @inline(__always)
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }
}

extension Publishers {
    /// Delivers one publisher's values, then another's.
    @frozen
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: DeliveringAsUpstream, FailingAsUpstream
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        public typealias Upstream = Suffix

        /// The publisher whose values come first.
        public let prefix: Prefix
        /// The publisher whose values follow.
        public let suffix: Suffix

        /// Creates a publisher that delivers one publisher's values, then another's.
        ///
        /// - Parameters:
        ///   - prefix: The publisher whose values come first.
        ///   - suffix: The publisher whose values follow.
        @inlinable @inline(__always)
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Suffix.Output, S.Failure == Suffix.Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Suffix.Output, Suffix.Failure>) {
            let arbiter = SubscriptionArbiter()
            subscriber.receive(subscription: arbiter)
            if arbiter.isDone { return }
            let last = ArbitratedSubscriber<Suffix.Output, Suffix.Failure, AnySubscriber>(
                downstream: subscriber, arbiter: arbiter
            ) {
                subscriber.receive(last: $0, of: arbiter)
            }
            prefix.receive(
                subscriber: ArbitratedSubscriber<Suffix.Output, Suffix.Failure, AnySubscriber>(
                    downstream: subscriber, arbiter: arbiter
                ) { [suffix] completion in
                    guard case .finished = completion else { return subscriber.receive(last: completion, of: arbiter) }
                    arbiter.next { suffix.receive(subscriber: last) }
                })
        }
    }
}

extension AnyPublisher {
    /// Hides the type of two publishers that follow each other.
    ///
    /// - Parameter publisher: The publisher whose type to hide.
    @inlinable
    public init<Prefix: Publisher, Suffix: Publisher>(_ publisher: Publishers.Concatenate<Prefix, Suffix>)
    where Suffix.Output == Output, Suffix.Failure == Failure {
        if let chain: AnyPublisher = publisher.chained() {
            self = chain
        } else {
            self.init { publisher.receive(subscriber: $0) }
        }
    }
}

extension Publishers.Concatenate: ChainablePublisher {
    /// Hides the type; what is appended to the result in its turn becomes one chain with it.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    @usableFromInline
    func chained<Value: Sendable, Error: Swift.Error>() -> AnyPublisher<Value, Error>? {
        guard let chain = Concatenation(prefix, suffix) else { return nil }
        return AnyPublisher<Output, Failure>(chain: chain) { chain.receive(subscriber: $0) }
            as? AnyPublisher<Value, Error>
    }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

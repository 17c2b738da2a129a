extension Swift.Sequence where Self: Sendable, Element: Sendable {
    /// A publisher of this sequence's elements.
    ///
    ///     (1...3).publisher   demand ∞   1-2-3|
    ///                         demand 2   1-2      … then, at one more request, 3|
    ///
    /// Demand: delivers what is requested, in a loop, on the thread that requests it. Never fails. A cancel stops it
    /// before the next element, which is not even fetched then. Reads one element ahead of what was requested, so that
    /// completion needs no further request.
    @inlinable
    public var publisher: Publishers.Sequence<Self, Never> {
        Publishers.Sequence(sequence: self)
    }
}

extension LazySequence where Base: Sendable, Element: Sendable {
    /// A publisher of this lazy sequence's elements, which are made as they are requested.
    ///
    ///     (1...).lazy.publisher   demand 2   1-2
    ///
    /// All else is as with other sequences.
    @inlinable
    public var publisher: Publishers.Sequence<Self, Never> {
        Publishers.Sequence(sequence: self)
    }
}

extension LazySequenceProtocol where Element: Sendable {
    /// A publisher of this lazy sequence's elements, which are made as they are requested.
    ///
    ///     (1...).lazy.map { 2 * $0 }.publisher   demand 2   2-4
    ///
    /// Its closures are called on the threads that request, by several subscribers at once: the compiler does not check
    /// that they may be, hence the warning. `(1...).publisher.map { 2 * $0 }` is checked, and makes nothing ahead either.
    @available(
        *, deprecated,
        message:
            "nothing checks that a lazy sequence's closures may run on other threads: write .publisher.map { } and so on"
    )
    @_documentation(visibility: internal)
    public var publisher: AnyPublisher<Element, Never> {
        Publishers.Sequence(sequence: LazyElements(base: self)).eraseToAnyPublisher()
    }
}

extension Publishers {
    /// A publisher of a sequence's elements.
    @frozen
    public struct Sequence<Elements: Swift.Sequence & Sendable, Failure: Error>: Publisher
    where Elements.Element: Sendable {
        public typealias Output = Elements.Element

        /// The sequence whose elements are delivered.
        public let sequence: Elements

        /// Creates a publisher of a sequence; each subscriber gets an iteration of its own.
        ///
        /// - Parameter sequence: The sequence whose elements to deliver.
        @inlinable @inline(__always)
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            DrainedSubscription.deliver(sequence.makeIterator(), to: subscriber)
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

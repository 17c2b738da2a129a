extension Optional where Wrapped: Sendable {
    /// Delivers the value, if there is one, and finishes.
    public var publisher: Publisher {
        @inlinable @inline(__always) get { Publisher(self) }
    }

    /// A publisher that delivers a value, or none, and finishes.
    ///
    ///     Optional(1).publisher   1|
    ///     nil                     |
    ///
    /// Demand: the value waits for a request. Never fails. Delivers on the thread that requests.
    @frozen
    public struct Publisher: Streams.Publisher {
        public typealias Output = Wrapped
        public typealias Failure = Never

        /// The value.
        public let output: Wrapped?

        /// Creates a publisher that delivers a value, or none, and finishes.
        ///
        /// - Parameter output: The value to deliver; nil for none.
        @inlinable @inline(__always)
        public init(_ output: Wrapped?) {
            self.output = output
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            DrainedSubscription.deliver(IteratorOfOptional(output), to: subscriber)
        }
    }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

/// What an optional holds, once.
@usableFromInline
struct IteratorOfOptional<Element>: IteratorProtocol {
    @usableFromInline var element: Element?

    @inlinable @inline(__always)
    init(_ element: Element?) {
        self.element = element
    }

    @inlinable @inline(__always)
    mutating func next() -> Element? { element.take() }
}

extension IteratorOfOptional: Sendable where Element: Sendable {}

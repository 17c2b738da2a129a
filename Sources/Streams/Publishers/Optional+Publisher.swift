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
    /// Demand: the value waits for a request. Fails never. Delivers on the thread that requests.
    @frozen
    public struct Publisher: Streams.Publisher {
        public typealias Output = Wrapped
        public typealias Failure = Never

        /// The value.
        public let output: Wrapped?

        @inlinable @inline(__always)
        public init(_ output: Wrapped?) {
            self.output = output
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            DrainedSubscription.deliver((output.map { [$0] } ?? []).makeIterator(), to: subscriber)
        }
    }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

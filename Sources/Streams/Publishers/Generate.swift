extension Publishers {
    /// Delivers a value, then the next one that a closure makes of it, and so on while a condition holds.
    ///
    ///     generate(1, while: { $0 < 9 }, next: { $0 * 2 })   1-2-4-8|
    ///
    /// Demand: each value is made, and the condition asked, when it is requested, on the thread of the request; so it
    /// finishes with the first request that finds the condition broken. Never fails.
    ///
    /// - Parameters:
    ///   - first: The first value.
    ///   - condition: A closure that returns whether to deliver a value.
    ///   - next: A closure that makes a value of the one before it.
    @preconcurrency
    @inlinable
    public static func generate<Value: Sendable>(
        _ first: Value, while condition: @escaping @Sendable (Value) -> Bool = { _ in true },
        next: @escaping @Sendable (Value) -> Value
    ) -> Generate<Value> {
        Generate(first: first, condition: condition, next: next)
    }

    /// Delivers a value, then the next one that a closure makes of it, and so on while a condition holds.
    @frozen
    public struct Generate<Output: Sendable>: Publisher {
        public typealias Failure = Never

        /// The first value.
        public let first: Output
        /// The condition for delivering a value; the first value that fails it ends the stream.
        public let condition: @Sendable (Output) -> Bool
        /// The closure that makes a value of the one before it.
        public let next: @Sendable (Output) -> Output

        /// Creates a publisher that delivers a value, then the next one, and so on while a condition holds.
        ///
        /// - Parameters:
        ///   - first: The first value.
        ///   - condition: A closure that returns whether to deliver a value; the first that it refuses ends the
        ///     stream.
        ///   - next: A closure that makes a value of the one before it.
        @preconcurrency
        @inlinable
        public init(
            first: Output, condition: @escaping @Sendable (Output) -> Bool, next: @escaping @Sendable (Output) -> Output
        ) {
            self.first = first
            self.condition = condition
            self.next = next
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            DrainedSubscription.deliver(Iterator(values: self), readingAhead: false, to: subscriber)
        }

        @frozen @usableFromInline
        struct Iterator: IteratorProtocol {
            @usableFromInline let values: Generate
            @usableFromInline var last: Output?

            @inlinable
            init(values: Generate) {
                self.values = values
            }

            @inlinable
            mutating func next() -> Output? {
                let value = last.map(values.next) ?? values.first
                guard values.condition(value) else { return nil }
                last = value
                return value
            }
        }
    }
}

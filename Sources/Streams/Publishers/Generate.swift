extension Publishers {
    /// Delivers a value, then what is made of it, and so on while a condition holds.
    ///
    ///     generate(1, while: { $0 < 9 }, next: { $0 * 2 })   1-2-4-8|
    ///
    /// Demand: each value is made when it is requested, on the thread of the request. Fails never.
    @inlinable
    public static func generate<Value: Sendable>(
        _ first: Value, while condition: @escaping @Sendable (Value) -> Bool = { _ in true },
        next: @escaping @Sendable (Value) -> Value
    ) -> Sequence<Generated<Value>, Never> {
        Sequence(sequence: Generated(first: first, condition: condition, next: next))
    }

    /// The sequence of `generate`.
    @frozen
    public struct Generated<Value: Sendable>: Swift.Sequence, Sendable {
        @usableFromInline let first: Value
        @usableFromInline let condition: @Sendable (Value) -> Bool
        @usableFromInline let next: @Sendable (Value) -> Value

        @inlinable
        init(
            first: Value, condition: @escaping @Sendable (Value) -> Bool, next: @escaping @Sendable (Value) -> Value
        ) {
            self.first = first
            self.condition = condition
            self.next = next
        }

        @inlinable
        public func makeIterator() -> Iterator { Iterator(generated: self) }

        @frozen
        public struct Iterator: IteratorProtocol {
            @usableFromInline let generated: Generated
            @usableFromInline var last: Value?

            @inlinable
            init(generated: Generated) {
                self.generated = generated
            }

            @inlinable
            public mutating func next() -> Value? {
                let value = last.map(generated.next) ?? generated.first
                guard generated.condition(value) else { return nil }
                last = value
                return value
            }
        }
    }
}

extension Folds {
    /// The default result of a ``Decision``, which it has if no value decides.
    public protocol DecisionRule: Sendable {
        /// The result if no value decides; one decides by giving the predicate's other answer.
        static var undecided: Bool { get }
    }

    /// The logic of `contains(where:)` and `allSatisfy`: one value may decide against the default result.
    @frozen
    public struct Decision<Input: Sendable, Mode: ThrowMode, Rule: DecisionRule>: ThrowingFold {
        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        public typealias Output = Bool

        @usableFromInline let predicate: @Sendable (Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(predicate: @escaping @Sendable (Input) throws(Mode.Thrown) -> Bool) {
            self.predicate = predicate
        }

        @inlinable @inline(__always)
        public func makeState() -> Bool { Rule.undecided }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Bool) throws(Mode.Thrown) -> Folds.Step<Mode.Failure> {
            guard try predicate(input) != Rule.undecided else { return .more }
            state = !Rule.undecided
            return .done
        }
    }
}

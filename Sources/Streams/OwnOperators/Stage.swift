/// The namespace of the operators' own stages, and of the step that a stage takes.
public enum Stages {
    /// The outcome of a value in a stage.
    @frozen
    public enum Step<Output, Failure: Error> {
        /// Delivers a value.
        case next(Output)
        /// Delivers nothing; the upstream is asked for one more value in place of this one.
        case skip
        /// Delivers a value, then finishes.
        case last(Output)
        /// Finishes the stream.
        case finish
        /// Fails the stream.
        case fail(Failure)
    }
}

/// The logic of an operator that makes at most one value of each: the way to write an operator in a few lines.
///
///     struct EveryOther<Value: Sendable, Failure: Error>: ValueStage {
///         func makeState() -> Bool { false }
///         func receive(_ input: Value, _ isOdd: inout Bool) -> Stages.Step<Value, Failure> {
///             isOdd.toggle()
///             return isOdd ? .next(input) : .skip
///         }
///     }
///     publisher.stage(EveryOther())
///
/// Demand, cancellation, the end and serial access to the state are taken care of. Conform to `ValueStage` or, for logic
/// that throws, to `ThrowingStage`. Mark what conforms `@frozen` and its methods `@inlinable` in a library.
public protocol Stage<Input, Output>: Sendable {
    /// The type of the upstream's values.
    associatedtype Input: Sendable
    /// The type of the values that are delivered.
    associatedtype Output: Sendable
    /// The type of the upstream's failures.
    associatedtype UpstreamFailure: Error
    /// The type of the stream's failures.
    associatedtype Failure: Error
    /// The state that a stage keeps from value to value, one for each subscriber. What is not `Sendable` goes into a
    /// ``SerialState``.
    associatedtype State: Sendable

    /// A Boolean value that indicates whether the stage can end the stream before its upstream does. One that never
    /// does is spared the bookkeeping.
    static var endsEarly: Bool { get }
    /// Returns the state that a subscriber's stream begins with.
    func makeState() -> State
    /// Returns a Boolean value that indicates whether the stream finishes before the first value.
    ///
    /// - Parameter state: The state of the subscriber.
    func isOver(_ state: State) -> Bool
    /// Decides about a value. Called serially.
    ///
    /// - Parameters:
    ///   - input: The value.
    ///   - state: The state of the subscriber.
    func receive(_ input: Input, _ state: inout State) -> Stages.Step<Output, Failure>
    /// Returns the stream's failure for one of the upstream's.
    ///
    /// - Parameter failure: The failure.
    func failure(_ failure: UpstreamFailure) -> Failure
}

extension Stage {
    @inlinable @inline(__always)
    public func isOver(_ state: State) -> Bool { false }
}

extension Stage where State == Void {
    @inlinable @inline(__always)
    public func makeState() {}
}

/// A stage that fails only as its upstream does.
public protocol ValueStage<Input, Output>: Stage where Failure == UpstreamFailure {}

extension ValueStage {
    /// `false`: by default a stage does not end before the upstream does.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { false }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }
}

/// A stage around a closure of its user's that may throw or not, as its mode says, so that the plain and the `try` form
/// of an operator are one stage. What is thrown cancels the upstream and is the stream's failure.
public protocol ThrowingStage<Input, Output>: Stage
where UpstreamFailure == Mode.UpstreamFailure, Failure == Mode.Failure {
    /// The mode: ``MayThrow`` or ``NeverThrows``.
    associatedtype Mode: ThrowMode
    /// Decides about a value. Called serially.
    ///
    /// - Parameters:
    ///   - input: The value.
    ///   - state: The state of the subscriber.
    func attempt(_ input: Input, _ state: inout State) throws(Mode.Thrown) -> Stages.Step<Output, Failure>
}

extension ThrowingStage {
    /// `true` if the closure may throw: by default a stage ends early only in that way.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { Mode.isThrowing }

    @inlinable @inline(__always)
    public func receive(_ input: Input, _ state: inout State) -> Stages.Step<Output, Failure> {
        do { return try attempt(input, &state) } catch { return .fail(Mode.failure(throwing: error)) }
    }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> Failure { Mode.failure(failure) }
}

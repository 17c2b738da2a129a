/// What becomes of a value.
@frozen
public enum StageStep<Output, Failure: Error> {
    /// This goes on.
    case next(Output)
    /// Nothing goes on; the upstream is asked for one more value in its place.
    case skip
    /// This goes on, and is the last: the stream finishes.
    case last(Output)
    /// The stream finishes.
    case finish
    /// The stream fails.
    case fail(Failure)
}

/// The logic of an operator that makes one value or none of each: the way to write an operator in a few lines.
///
///     struct EveryOther<Value: Sendable, Failure: Error>: ValueStage {
///         func makeState() -> Bool { false }
///         func receive(_ input: Value, _ isOdd: inout Bool) -> StageStep<Value, Failure> {
///             isOdd.toggle()
///             return isOdd ? .next(input) : .skip
///         }
///     }
///     publisher.stage(EveryOther())
///
/// Demand, cancellation, the end and serial access to the state are taken care of. Conform to `ValueStage` or, for logic
/// that throws, to `ThrowingStage`. Mark what conforms `@frozen` and its methods `@inlinable` in a library.
public protocol Stage<Input, Output>: Sendable {
    /// What comes from the upstream.
    associatedtype Input: Sendable
    /// What goes on.
    associatedtype Output: Sendable
    /// How the upstream can fail.
    associatedtype UpstreamFailure: Error
    /// How the stream can fail.
    associatedtype Failure: Error
    /// What is kept from value to value: one for each subscriber. What is not `Sendable` goes into a ``SerialState``.
    associatedtype State: Sendable

    /// Whether it may end the stream before its upstream does. One that never does is spared the bookkeeping.
    static var endsEarly: Bool { get }
    /// What a subscriber's stream begins with.
    func makeState() -> State
    /// Whether the stream finishes before the first value.
    func isOver(_ state: State) -> Bool
    /// Decides about a value. Called serially.
    func receive(_ input: Input, _ state: inout State) -> StageStep<Output, Failure>
    /// What the upstream's failure becomes.
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
    /// Not unless it says so.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { false }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }
}

/// A stage around a closure of its user's that throws or not, as its mode says: the plain and the `try` form of an
/// operator are one such stage. What is thrown cancels the upstream and is the stream's failure.
public protocol ThrowingStage<Input, Output>: Stage
where UpstreamFailure == Mode.UpstreamFailure, Failure == Mode.Failure {
    /// `MayThrow` or `NeverThrows`.
    associatedtype Mode: ThrowMode
    /// Decides about a value. Called serially.
    func attempt(_ input: Input, _ state: inout State) throws(Mode.Thrown) -> StageStep<Output, Failure>
}

extension ThrowingStage {
    /// Only by throwing, unless it says so.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { Mode.isThrowing }

    @inlinable @inline(__always)
    public func receive(_ input: Input, _ state: inout State) -> StageStep<Output, Failure> {
        do { return try attempt(input, &state) } catch { return .fail(Mode.failure(throwing: error)) }
    }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> Failure { Mode.failure(failure) }
}

/// The namespace of the operators' own folds, and of the step that a fold takes.
public enum Folds {
    /// The step that a fold takes after a value.
    @frozen
    public enum Step<Failure: Error> {
        /// Takes further values.
        case more
        /// Ends with the result that the fold has; the upstream is cancelled.
        case done
        /// Fails; the upstream is cancelled.
        case fail(Failure)
    }
}

/// The logic of an operator that makes one result of all values, or none.
///
/// The result is delivered when the upstream finishes or the fold is done, and when it has been requested. Conform to
/// `ValueFold` or, for logic that throws, to `ThrowingFold`.
public protocol Fold<Input, Output>: Sendable {
    /// The type of the upstream's values.
    associatedtype Input: Sendable
    /// The type of the result.
    associatedtype Output: Sendable
    /// The type of the upstream's failures.
    associatedtype UpstreamFailure: Error
    /// The type of the stream's failures.
    associatedtype Failure: Error
    /// The state that a fold keeps from value to value, one for each subscriber. What is not `Sendable` goes into a
    /// ``SerialState``.
    associatedtype State: Sendable

    /// A Boolean value that indicates whether the fold can end before the upstream does. One that never does is spared
    /// the bookkeeping.
    static var endsEarly: Bool { get }
    /// Returns the state that a subscriber's fold begins with.
    func makeState() -> State
    /// Takes a value in. Called serially.
    ///
    /// - Parameters:
    ///   - input: The value.
    ///   - state: The state of the subscriber.
    func receive(_ input: Input, _ state: inout State) -> Folds.Step<Failure>
    /// Returns the result; nil for none, which finishes the stream without a value.
    ///
    /// - Parameter state: The state of the subscriber.
    func result(_ state: State) -> Output?
    /// Returns the stream's failure for one of the upstream's.
    ///
    /// - Parameter failure: The failure.
    func failure(_ failure: UpstreamFailure) -> Failure
}

extension Fold where State == Output? {
    @inlinable @inline(__always)
    public func makeState() -> Output? { nil }

    @inlinable @inline(__always)
    public func result(_ state: Output?) -> Output? { state }
}

extension Fold where State == Output {
    @inlinable @inline(__always)
    public func result(_ state: Output) -> Output? { state }
}

/// A fold that fails only as its upstream does.
public protocol ValueFold<Input, Output>: Fold where Failure == UpstreamFailure {}

extension ValueFold {
    /// `false`: by default a fold does not end before the upstream does.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { false }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }
}

/// A fold around a closure of its user's that may throw or not, as its mode says, so that the plain and the `try` form
/// of an operator are one fold. What is thrown cancels the upstream and is the stream's failure.
public protocol ThrowingFold<Input, Output>: Fold
where UpstreamFailure == Mode.UpstreamFailure, Failure == Mode.Failure {
    /// The mode: ``MayThrow`` or ``NeverThrows``.
    associatedtype Mode: ThrowMode
    /// Takes a value in. Called serially.
    ///
    /// - Parameters:
    ///   - input: The value.
    ///   - state: The state of the subscriber.
    func attempt(_ input: Input, _ state: inout State) throws(Mode.Thrown) -> Folds.Step<Failure>
}

extension ThrowingFold {
    /// `true` if the closure may throw: by default a fold ends early only in that way.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { Mode.isThrowing }

    @inlinable @inline(__always)
    public func receive(_ input: Input, _ state: inout State) -> Folds.Step<Failure> {
        do { return try attempt(input, &state) } catch { return .fail(Mode.failure(throwing: error)) }
    }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> Failure { Mode.failure(failure) }
}

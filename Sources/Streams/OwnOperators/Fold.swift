/// Whether a fold wants more values.
@frozen
public enum FoldStep<Failure: Error> {
    /// It goes on.
    case more
    /// The result stands: the upstream is cancelled.
    case done
    /// The stream fails; the upstream is cancelled.
    case fail(Failure)
}

/// The logic of an operator that makes one result of all values, or none.
///
/// The result is delivered when the upstream finishes or the fold is done, and when it has been requested. Conform to
/// `ValueFold` or, for logic that throws, to `ThrowingFold`.
public protocol Fold<Input, Output>: Sendable {
    /// What comes from the upstream.
    associatedtype Input: Sendable
    /// The result.
    associatedtype Output: Sendable
    /// How the upstream can fail.
    associatedtype UpstreamFailure: Error
    /// How the stream can fail.
    associatedtype Failure: Error
    /// What has been made of the values so far: one for each subscriber. What is not `Sendable` goes into a ``SerialState``.
    associatedtype State: Sendable

    /// Whether the result may stand, or the fold fail, before the upstream ends. One that never does is spared the
    /// bookkeeping.
    static var endsEarly: Bool { get }
    /// What a subscriber's fold begins with.
    func makeState() -> State
    /// Takes a value in. Called serially.
    func receive(_ input: Input, _ state: inout State) -> FoldStep<Failure>
    /// The result; nil for none, which finishes the stream without a value.
    func result(_ state: State) -> Output?
    /// What the upstream's failure becomes.
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
    /// Not unless it says so.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { false }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }
}

/// A fold around a closure of its user's that throws or not, as its mode says: the plain and the `try` form of an
/// operator are one such fold. What is thrown cancels the upstream and is the stream's failure.
public protocol ThrowingFold<Input, Output>: Fold
where UpstreamFailure == Mode.UpstreamFailure, Failure == Mode.Failure {
    /// `MayThrow` or `NeverThrows`.
    associatedtype Mode: ThrowMode
    /// Takes a value in. Called serially.
    func attempt(_ input: Input, _ state: inout State) throws(Mode.Thrown) -> FoldStep<Failure>
}

extension ThrowingFold {
    /// Only by throwing, unless it says so.
    @inlinable @inline(__always)
    public static var endsEarly: Bool { Mode.isThrowing }

    @inlinable @inline(__always)
    public func receive(_ input: Input, _ state: inout State) -> FoldStep<Failure> {
        do { return try attempt(input, &state) } catch { return .fail(Mode.failure(throwing: error)) }
    }

    @inlinable @inline(__always)
    public func failure(_ failure: UpstreamFailure) -> Failure { Mode.failure(failure) }
}

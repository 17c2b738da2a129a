/// Whether the closures of an operator throw, and what that makes of its failures: `NeverThrows` for the plain form of an
/// operator, `MayThrow` for its `try` form.
public protocol ThrowMode {
    /// How the upstream can fail.
    associatedtype UpstreamFailure: Error
    /// What the closures throw.
    associatedtype Thrown: Error
    /// How the stream can fail.
    associatedtype Failure: Error

    /// Whether they throw at all.
    static var isThrowing: Bool { get }
    /// What the upstream's failure becomes.
    static func failure(_ failure: UpstreamFailure) -> Failure
    /// What an error thrown becomes.
    static func failure(throwing error: Thrown) -> Failure
}

/// The closures don't throw; the stream fails as its upstream does.
public enum NeverThrows<UpstreamFailure: Error>: ThrowMode {
    @inlinable @inline(__always)
    public static var isThrowing: Bool { false }

    @inlinable @inline(__always)
    public static func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }

    @inlinable @inline(__always)
    public static func failure(throwing error: Never) -> UpstreamFailure {}
}

/// The closures may throw anything.
public enum MayThrow<UpstreamFailure: Error>: ThrowMode {
    @inlinable @inline(__always)
    public static var isThrowing: Bool { true }

    @inlinable @inline(__always)
    public static func failure(_ failure: UpstreamFailure) -> any Error { failure }

    @inlinable @inline(__always)
    public static func failure(throwing error: any Error) -> any Error { error }
}

/// The mode of an operator's closures, which may throw or not: `NeverThrows` for the plain form of an operator,
/// `MayThrow` for its `try` form.
public protocol ThrowMode {
    /// The type of the upstream's failures.
    associatedtype UpstreamFailure: Error
    /// The type of the errors that the closures throw.
    associatedtype Thrown: Error
    /// The type of the stream's failures.
    associatedtype Failure: Error

    /// A Boolean value that indicates whether the closures may throw.
    static var isThrowing: Bool { get }
    /// Returns the stream's failure for one of the upstream's.
    ///
    /// - Parameter failure: The failure.
    static func failure(_ failure: UpstreamFailure) -> Failure
    /// Returns the stream's failure for an error that a closure has thrown.
    ///
    /// - Parameter error: The error.
    static func failure(throwing error: Thrown) -> Failure
}

/// The mode of closures that don't throw; the stream fails only as its upstream does.
public enum NeverThrows<UpstreamFailure: Error>: ThrowMode {
    @inlinable @inline(__always)
    public static var isThrowing: Bool { false }

    @inlinable @inline(__always)
    public static func failure(_ failure: UpstreamFailure) -> UpstreamFailure { failure }

    @inlinable @inline(__always)
    public static func failure(throwing error: Never) -> UpstreamFailure {}
}

/// The mode of closures that may throw any error.
public enum MayThrow<UpstreamFailure: Error>: ThrowMode {
    @inlinable @inline(__always)
    public static var isThrowing: Bool { true }

    @inlinable @inline(__always)
    public static func failure(_ failure: UpstreamFailure) -> any Error { failure }

    @inlinable @inline(__always)
    public static func failure(throwing error: any Error) -> any Error { error }
}

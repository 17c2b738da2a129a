import CLibrary

/// The server could not be started.
public struct LoopbackServerError: Error, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// Its `errno`.
    public let code: Int32

    public var description: String { "the loopback server cannot start: \(call) failed with errno \(code)" }
}

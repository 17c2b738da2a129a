/// A reason for a load to go on without its store.
enum StoreFault: Error, Sendable {
    /// It has no body that may be served.
    case miss
    /// It is left alone after failures.
    case paused
    /// The load has waited for it as long as it may.
    case timedOut
    /// It failed, for the reason given.
    case failed(String)
}

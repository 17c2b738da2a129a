/// Runs closures at the same instant, each on a thread of its own, and returns when all have returned.
///
/// The threads meet at a line where they spin, so that they start within nanoseconds of each other. None of them is one
/// of Dispatch's: they come however busy those are. Where the system has no thread to give, the closures run one after
/// another.
///
/// - Parameter contenders: The closures to run.
public func race(_ contenders: (@Sendable () -> Void)...) {
    race(contenders)
}

/// Runs closures at the same instant, each on a thread of its own, and returns when all have returned.
///
/// - Parameter contenders: The closures to run.
public func race(_ contenders: [@Sendable () -> Void]) {
    if !StartingLine.run(contenders) { for contender in contenders { contender() } }
}

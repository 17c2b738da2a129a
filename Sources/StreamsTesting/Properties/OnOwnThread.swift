import CThread
import Streams

/// Runs long synchronous work, such as a property test, on a thread of its own, and awaits it without occupying one of
/// Swift's threads: those are as many as there are processors, and all tasks share them.
///
///     @Test func property() async throws {
///         try await onOwnThread { try forAll("…", plans) { … } }
///     }
///
/// There are as many threads as processors; work beyond that waits. What the test expects belongs outside: an expectation
/// in the closure does not know its test. What the closure throws is thrown.
///
/// - Parameter work: The work to run.
public func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        ownThreads.schedule { continuation.resume(with: Swift.Result { try work() }) }
    }
}

private let ownThreads = ThreadPoolScheduler(
    width: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "OwnThread")

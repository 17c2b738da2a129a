import CThread
import Dispatch
import Synchronization

/// A thread that one can wait for. Not a Dispatch queue: a server that sits in `poll` must not take a thread of a pool
/// that its own clients need.
final class ServerThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        let end = DispatchGroup()
        /// The thread's number; 0 before it runs.
        let thread = Atomic<UInt>(0)

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
            end.enter()
        }

        func enter() {
            thread.store(current_thread(), ordering: .relaxed)
            run()
            end.leave()
        }
    }

    private let body: Body

    init(_ run: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        body = Body(run)
        let argument = Unmanaged.passRetained(body)
        let code = start_thread(
            "server", 0, { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().enter() }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            body.end.leave()
            throw LoopbackServerError(call: "start_thread", code: code)
        }
    }

    /// Returns when the body has ended; at once on the thread itself.
    func join() {
        guard body.thread.load(ordering: .relaxed) != current_thread() else { return }
        body.end.wait()
    }
}

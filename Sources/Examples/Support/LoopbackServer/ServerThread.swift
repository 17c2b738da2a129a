import Synchronization

/// A thread that one can wait for. Not a Dispatch queue: a server that sits in `poll` must not take a thread of a pool
/// that its own clients need.
final class ServerThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: Mutex<pthread_t?>

    init(_ run: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        let body = Unmanaged.passRetained(Body(run))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { Self.enter($0) }, body.toOpaque())
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { $0.flatMap { ServerThread.enter($0) } }, body.toOpaque())
        #endif
        guard code == 0 else {
            body.release()
            throw LoopbackServerError(call: "pthread_create", code: code)
        }
        self.thread = Mutex(thread)
    }

    private static func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }

    /// Returns when the thread has ended; at once on the thread itself, and when somebody else has waited already.
    func join() {
        let joined = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let joined else { return }
        if pthread_equal(joined, pthread_self()) != 0 {
            pthread_detach(joined)
        } else {
            pthread_join(joined, nil)
        }
    }
}

import CLibrary
import Synchronization

/// What the server's thread shares with everybody else: routes, orders, the log.
final class ServerCore: Sendable {
    /// How a path is answered.
    enum Route: Sendable {
        /// One after the other; the last one stays.
        case replies([Reply])
        case handler(@Sendable (Request) -> Reply)
    }

    private struct State {
        var routes: [String: Route] = [:]
        /// Paths whose stalls are over.
        var released: Set<String> = []
        var isStopping = false
    }

    let log = RequestLog()
    let wakeReader: Int32
    private let wakeWriter: Int32
    private let state = Mutex(State())

    init() throws(LoopbackServerError) {
        (wakeReader, wakeWriter) = try Socket.wakePipe()
    }

    deinit {
        _ = close(wakeReader)
        _ = close(wakeWriter)
    }

    func set(_ route: Route?, for path: String) {
        state.withLock { state in
            state.routes[path] = route
            state.released.remove(path)
        }
    }

    func release(_ path: String) {
        state.withLock { _ = $0.released.insert(path) }
        wake()
    }

    func isReleased(_ path: String) -> Bool {
        state.withLock { $0.released.contains(path) }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// The plain answer to a request; a list of replies moves on by one. A handler runs outside the lock.
    func reply(to request: Request) -> Reply {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .status(405, headers: [Header("Allow", "GET, HEAD")])
        }
        let route = state.withLock { state -> Route? in
            let path = state.routes[request.target] == nil ? request.path : request.target
            guard let route = state.routes[path] else { return nil }
            if case .replies(let replies) = route, replies.count > 1 {
                state.routes[path] = .replies(Array(replies.dropFirst()))
            }
            return route
        }
        switch route {
        case .replies(let replies): return replies.first ?? .status(404)
        case .handler(let handler): return handler(request)
        case nil: return .status(404)
        }
    }

    /// Ends the current `poll` of the server's thread, or the next one.
    private func wake() {
        var byte: UInt8 = 1
        // A full pipe is as good: the thread will wake.
        _ = write(wakeWriter, &byte, 1)
    }
}

/// A small HTTP/1.1 server inside the process, on 127.0.0.1 and a free port, for tests and examples: it serves what it is
/// told to, at a limited rate if asked, goes wrong on purpose (``Fault``), and keeps a log that one can wait on.
///
/// It answers `GET` and `HEAD`, keeps connections alive, and knows conditional and range requests. One thread of its own
/// does all the work. All members may be called from any thread.
///
///     let server = try LoopbackServer()
///     server.route("/photo.jpg", .resource(bytes, contentType: "image/jpeg").limited(bytesPerSecond: 100_000))
///     server.route("/busy", .status(503), .status(503), .resource(bytes))
///     …  server.url("/photo.jpg")  …
///     try await server.log.wait(for: .ended("/photo.jpg", .clientClosed))
///     server.stop()
public final class LoopbackServer: Sendable {
    /// The port it listens on.
    public let port: UInt16

    private let core: ServerCore
    private let thread: ServerThread

    /// Starts a server without routes: everything is 404.
    ///
    /// - Parameter sendBuffer: bytes that the system may hold back for each connection (the system takes about twice as
    ///   much as it is told); `nil`: what the system thinks best, which may be megabytes. A small one lets the log show
    ///   that a client has stopped reading.
    public init(sendBuffer: Int? = nil) throws(LoopbackServerError) {
        let core = try ServerCore()
        let (listener, port) = try Socket.listener()
        self.core = core
        self.port = port
        do throws(LoopbackServerError) {
            thread = try ServerThread { EventLoop(core: core, listener: listener, sendBuffer: sendBuffer).run() }
        } catch {
            Socket.close(listener)
            throw error
        }
    }

    deinit { stop() }

    /// The whole URL of a path that begins with `/`.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Answers a path with these replies, one request after the other; the last one stays. The path may have a query: it
    /// is looked up with its query first, then without. Ends what ``goOn(_:)`` said for this path before.
    public func route(_ path: String, _ replies: Reply...) {
        core.set(.replies(replies), for: path)
    }

    /// Answers a path with what a closure says. It is called on the server's thread, and must not block.
    public func route(_ path: String, handler: @escaping @Sendable (Request) -> Reply) {
        core.set(.handler(handler), for: path)
    }

    /// Answers a path with 404 from now on.
    public func removeRoute(_ path: String) {
        core.set(nil, for: path)
    }

    /// Lets the replies for this path go on that stand still at a ``Fault/stall(_:)``, and those that will come to one.
    public func goOn(_ path: String) {
        core.release(path)
    }

    /// What was asked, and what became of it.
    public var log: RequestLog { core.log }

    /// Closes all connections and the port; returns when that is done. Further calls do nothing.
    public func stop() {
        core.stop()
        thread.join()
    }
}

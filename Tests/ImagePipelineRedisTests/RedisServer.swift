import Files
import TestSupport
import Testing

/// A real Redis server of a test's own, on a free port.
final class RedisServer: Sendable {
    static let executable: String? = [
        "/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server",
    ]
    .first { (path: String) in access(path, X_OK) == 0 }

    let port: Int
    private let directory = TemporaryDirectory()
    private let process: SharedProcess

    init(port chosen: Int? = nil) throws {
        let executable = try #require(Self.executable)
        port = try chosen ?? Int(#require(LoopbackPort.free()))
        let arguments = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory.path,
            "--daemonize", "no",
        ]
        process = SharedProcess(try ChildProcess(path: executable, arguments))
        while !LoopbackPort.accepts(UInt16(clamping: port)) { sched_yield() }
    }

    func pause() { process.signal(SIGSTOP) }
    func resume() { process.signal(SIGCONT) }
}

/// A process that ends with its last reference.
private final class SharedProcess: Sendable {
    private let identifier: pid_t
    private let process: ChildProcess

    init(_ process: consuming ChildProcess) {
        identifier = process.identifier
        self.process = process
    }

    deinit {
        _ = Files.kill(identifier, SIGKILL)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
    }

    func signal(_ signal: Int32) { process.signal(signal) }
}

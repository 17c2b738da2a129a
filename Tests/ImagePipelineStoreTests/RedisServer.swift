import Files
import TestSupport
import Testing

/// A real Redis server of a test's own, on a free port.
final class RedisServer: StoreServer {
    static let executable: String? = [
        "/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server",
    ]
    .first { (path: String) in access(path, X_OK) == 0 }

    let port: Int
    private let directory = TemporaryDirectory()
    private let process: ServerProcess

    init(port chosen: Int? = nil) throws {
        let executable = try #require(Self.executable)
        let path = directory.path
        (process, port) = try ServerProcess.listening(on: chosen) { port in
            let arguments = [
                "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", path,
                "--daemonize", "no",
            ]
            return try ServerProcess(path: executable, arguments)
        }
    }

    /// Sends it a command.
    func run(_ command: [String]) throws {
        _ = try ChildProcess(path: "/usr/bin/redis-cli", ["-p", "\(port)"] + command).readOutput()
    }

    func pause() { process.pause() }
    func resume() { process.resume() }
}

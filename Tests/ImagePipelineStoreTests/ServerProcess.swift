import Files
import TestSupport

/// A server's process, which ends with its last reference.
final class ServerProcess: Sendable {
    private let identifier: pid_t
    private let process: ChildProcess

    init(path: String, _ arguments: [String]) throws {
        let process = try ChildProcess(path: path, arguments)
        identifier = process.identifier
        self.process = process
    }

    deinit {
        _ = Files.kill(identifier, SIGKILL)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
    }

    /// Whether it has ended by itself.
    var hasEnded: Bool { waitpid(identifier, nil, WNOHANG) != 0 }

    func pause() { process.signal(SIGSTOP) }
    func resume() { process.signal(SIGCONT) }
}

/// A server that a test can stop in the middle of its work.
protocol StoreServer: Sendable {
    func pause()
    func resume()
}

import Files
import Glibc
import TestSupport
import Testing

/// A server that is a program in Python, on a free loopback port, which is the first line that it prints; it is killed with this object.
final class PythonServer {
    let port: String
    private let process: ChildProcess
    private let identifier: pid_t

    init(_ program: String, _ arguments: [String]) throws {
        let process = try ChildProcess(path: "/usr/bin/env", ["python3", "-u", "-c", program] + arguments)
        identifier = process.identifier
        let line = process.readLine()
        port = try #require(line, "the server has ended")
        self.process = process
    }

    deinit {
        _ = Files.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }

    /// Waits for the next line that the program prints.
    func readLine() -> String? { process.readLine() }
}

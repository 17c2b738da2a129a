import Files
import Synchronization
import TestSupport
import Testing

/// A server's process, which ends with its last reference.
final class ServerProcess: Sendable {
    private let identifier: pid_t
    private let process: ChildProcess
    private let isReaped = Atomic(false)

    init(path: String, _ arguments: [String]) throws {
        let process = try ChildProcess(path: path, arguments)
        identifier = process.identifier
        self.process = process
    }

    deinit {
        // Its number may be another's by now.
        if hasEnded { return }
        _ = Files.kill(identifier, SIGKILL)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
    }

    /// Starts a server and waits until it listens: on the port given, or on a free one, which somebody else may take first.
    static func listening(
        on chosen: Int?, _ start: (Int) throws -> ServerProcess
    ) throws -> (process: ServerProcess, port: Int) {
        for _ in 0..<10 {
            let port = try chosen ?? Int(#require(LoopbackPort.free()))
            let process = try start(port)
            while !process.hasEnded {
                if LoopbackPort.accepts(UInt16(clamping: port)) { return (process, port) }
                sched_yield()
            }
        }
        throw NotListening()
    }

    struct NotListening: Error {}

    /// True if it has ended by itself.
    var hasEnded: Bool {
        if isReaped.load(ordering: .acquiring) { return true }
        guard waitpid(identifier, nil, WNOHANG) != 0 else { return false }
        isReaped.store(true, ordering: .releasing)
        return true
    }

    func pause() { process.signal(SIGSTOP) }
    func resume() { process.signal(SIGCONT) }
}

/// A server that a test can stop in the middle of its work.
protocol StoreServer: Sendable {
    func pause()
    func resume()
}

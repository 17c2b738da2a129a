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
        port = try chosen ?? #require(Self.freePort())
        let arguments = [
            "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory.path,
            "--daemonize", "no",
        ]
        process = SharedProcess(try ChildProcess(path: executable, arguments))
        while !Self.accepts(port) { sched_yield() }
    }

    func pause() { process.signal(SIGSTOP) }
    func resume() { process.signal(SIGCONT) }

    private static func freePort() -> Int? {
        let listener = socket(AF_INET, streamType, 0)
        defer { close(listener) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 ? getsockname(listener, $0, &length) : -1
            }
        }
        return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    private static func accepts(_ port: Int) -> Bool {
        let client = socket(AF_INET, streamType, 0)
        defer { close(client) }
        let address = loopback(UInt16(clamping: port))
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = SOCK_STREAM
    #endif

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
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

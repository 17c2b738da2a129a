import Glibc

/// The resources that this process holds.
struct Holdings: CustomStringConvertible {
    var megabytes = 0
    var threads = 0
    var descriptors = 0

    /// The resources that it holds now.
    static func now() -> Holdings {
        var holdings = Holdings()
        for line in text("/proc/self/status").split(separator: "\n") {
            let number = Int(line.filter(\.isNumber)) ?? 0
            if line.hasPrefix("VmRSS:") { holdings.megabytes = number >> 10 }
            if line.hasPrefix("Threads:") { holdings.threads = number }
        }
        holdings.descriptors = (0..<4_096).count { fcntl($0, F_GETFD) >= 0 }
        return holdings
    }

    var description: String { "\(megabytes) MB, \(threads) threads, \(descriptors) descriptors" }

    mutating func raise(to other: Holdings) {
        megabytes = max(megabytes, other.megabytes)
        threads = max(threads, other.threads)
        descriptors = max(descriptors, other.descriptors)
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// The server in a process of its own.
final class ServerProcess {
    let port: Int
    private let process: pid_t
    private let input: Int32

    init(_ program: String, seed: UInt64) throws {
        var (down, up): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&down) == 0, pipe(&up) == 0 else { throw SoakError("no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, down[0], 0)
        posix_spawn_file_actions_adddup2(&actions, up[1], 1)
        for end in down + up { posix_spawn_file_actions_addclose(&actions, end) }
        let words = [program, "--serve", "\(seed)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, program, &actions, nil, &arguments, environ)
        close(down[0])
        close(up[1])
        guard status == 0 else { throw SoakError("\(program) cannot be started") }
        (process, input) = (identifier, down[1])
        // Not for the next server: this one would never see its end.
        _ = fcntl(input, F_SETFD, FD_CLOEXEC)
        var line = [UInt8](repeating: 0, count: 32)
        let count = read(up[0], &line, line.count)
        close(up[0])
        guard let port = Int(String(decoding: line.prefix(max(0, count)), as: UTF8.self).filter(\.isNumber)) else {
            throw SoakError("the server said no port")
        }
        self.port = port
    }

    deinit {
        close(input)
        waitpid(process, nil, 0)
    }
}

struct SoakError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Prints a line at once, also where nobody looks at a terminal.
func say(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(1, line, line.count)
}

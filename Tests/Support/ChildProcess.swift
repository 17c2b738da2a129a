import Files

/// A program run as a process of its own.
package struct ChildProcess: ~Copyable {
    package let identifier: pid_t
    private let output: Int32
    private var hasEnded = false

    /// Starts a product of this package, from the directory that the tests were built into.
    package init(_ name: String, _ arguments: [String]) throws {
        try self.init(path: Self.path(of: name), arguments)
    }

    /// The path of a product of this package.
    package static func path(of name: String) -> String { productsDirectory + "/" + name }

    /// Starts the program at a path.
    package init(path: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, path, &actions, nil, &words, environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        guard status == 0 else { throw SystemError("posix_spawn of \(path)", code: status) }
        self.identifier = identifier
        output = ends[0]
    }

    /// Waits until it has printed something, or has ended.
    package func waitForOutput() {
        var byte: UInt8 = 0
        _ = read(output, &byte, 1)
    }

    /// Waits for the next line that it prints; nil if it has ended without one.
    package func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    /// All it prints, once it has ended.
    package consuming func readOutput() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        if !hasEnded { waitpid(identifier, nil, 0) }
        close(output)
        return String(decoding: text, as: UTF8.self)
    }

    /// Waits until it has ended.
    ///
    /// - Returns: The status that it exited with; nil if a signal ended it.
    package consuming func wait() -> Int32? {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        close(output)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    /// Stops it until it gets `SIGCONT`.
    ///
    /// - Returns: Whether it stands still; if not, it has ended.
    package mutating func pause() -> Bool {
        guard !hasEnded else { return false }
        signal(SIGSTOP)
        var status: Int32 = 0
        while waitpid(identifier, &status, WUNTRACED) < 0, errno == EINTR {}
        hasEnded = status & 0xff != 0x7f
        return !hasEnded
    }

    /// Sends it a signal.
    package func signal(_ signal: Int32) {
        guard !hasEnded else { return }
        _ = Files.kill(identifier, signal)
    }

    package consuming func kill() {
        // Qualified by what it is a member of: the method has the same name.
        _ = Files.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
        close(output)
    }

    private static var productsDirectory: String {
        // The test bundle lies beside the products it was built with.
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let executable = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        if executable.contains("PackageTests") {
            return executable.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        }
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        return bundle.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }
}

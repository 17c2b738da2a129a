import Glibc

/// A program that is run to its end for what it prints.
public struct ChildProcess {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    private let words: [String]

    /// - Parameter words: the program, as a path or as a name to look for, and its arguments.
    public init(_ words: [String]) {
        self.words = words
    }

    /// Runs it. It may print a few kilobytes.
    /// - Throws: when it cannot be started, or ends with another status than 0.
    public func output() throws -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        let isStarted = posix_spawnp(&identifier, words[0], &actions, nil, &arguments, environ) == 0
        close(ends[1])
        guard isStarted else { throw Failure(description: "\(words[0]) cannot be started") }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &piece, piece.count)
            if count <= 0 { break }
            text += piece[..<count]
        }
        var status: Int32 = 0
        guard waitpid(identifier, &status, 0) == identifier, status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")): status \(status)")
        }
        return String(decoding: text, as: UTF8.self)
    }
}

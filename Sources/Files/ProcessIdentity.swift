/// A process of this machine, told from any other that has had its number or will get it.
///
/// It can be written down, for others to see later whether the process is still there. One of another machine, of another start of this one
/// or of another container counts as being there.
package struct ProcessIdentity: Sendable, Equatable {
    /// Nil where the system does not say who it is.
    package static let current = ProcessIdentity(of: getpid())
    /// The start of the machine, and the space of numbers that the process has its number in.
    private static let place: String? = {
        guard let start = text("/proc/sys/kernel/random/boot_id"), let space = link("/proc/self/ns/pid") else {
            return nil
        }
        return "\(start) \(space)"
    }()

    private let place: String
    private let number: pid_t
    /// The ticks from the machine's start to the process's.
    private let start: String

    /// - Parameter number: the number of a process in this one's space.
    package init?(of number: pid_t) {
        guard let place = Self.place, let facts = Self.facts(of: number) else { return nil }
        (self.place, self.number, start) = (place, number, facts.start)
    }

    /// Reads what ``text`` has given; nil if it is nothing like that.
    package init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, let number = pid_t(words[2]), number > 0 else { return nil }
        (place, self.number, start) = ("\(words[0]) \(words[1])", number, String(words[3]))
    }

    package var text: String { "\(place) \(number) \(start)" }

    /// Whether the process has ended, for all that can be known here.
    package var isGone: Bool {
        guard place == Self.place else { return false }
        if kill(number, 0) != 0, errno == ESRCH { return true }
        guard let facts = Self.facts(of: number) else { return false }
        return facts.start != start || facts.hasEnded
    }

    /// The facts of a process in its `stat` file, see proc_pid_stat(5); nil where there is none.
    private static func facts(of number: pid_t) -> (start: String, hasEnded: Bool)? {
        // Behind the program's name, which may have spaces and parentheses: the state first, the number of threads, the start.
        let words = text("/proc/\(number)/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 19 else { return nil }
        // Without its first thread, which dispatchMain() ends, a process goes on.
        return (String(words[19]), "ZX".contains(words[0]) && Int(words[17]) ?? 0 <= 1)
    }

    private static func text(_ path: String) -> String? {
        guard let file = try? FileDescriptor(opening: path, O_RDONLY), let bytes = try? file.read(4096, at: 0) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }

    private static func link(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? -1
        }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}

import Files
import Synchronization

/// The record of files that earlier runs have written into a directory, and that this one is about to write: a file that only grows.
///
/// A result is written down before it gets its name, as its content: a run may be killed at any moment, and a file that
/// somebody put in a result's place, or changed, is never taken for it. A record that was tampered with says at most that some
/// content may be replaced, and that files beside it were begun by us.
final class OutputRecord: Sendable {
    static let fileName = "record"
    private static let header = "What was written here: SHA-256, bytes, name.\n"
    private static let chunkSize = 1 << 20

    /// A result as it was written once.
    struct Entry {
        let content: FileContent
        /// The settings of the run that has written it last.
        var settings: [UInt8]
    }

    private struct State {
        /// By the bytes of names: Swift's strings are equal where a file system tells them apart.
        var entries: [[UInt8]: [Entry]] = [:]
        /// Whether runs have written here before the machine was started.
        var wasRestarted = false
        /// The settings of the run whose lines are read.
        var settings: [UInt8] = []
        /// The result that a file here changes places with.
        var swaps: [String: [UInt8]] = [:]
        /// Those that may have left something unfinished.
        var runs: Set<String> = []
        /// The offset of the first line that is not read yet.
        var offset = 0
        var count = 0
        /// Whether the last line could not be written to its end.
        var isTorn = false
    }

    /// Holds the record and what is not finished.
    let directory: Descriptor
    /// Of this run; empty where it names none.
    let settings: [UInt8]
    private let run = String(UInt64.random(in: .min ... .max), radix: 16)
    private let file: Descriptor
    private let path: String
    private let state = Mutex(State())

    /// Opens the record, or begins it.
    ///
    /// - Parameters:
    ///   - name: Of the record, which is a directory.
    ///   - settings: Of a run that has it alone.
    ///   - recover: Called with what a killed run may have left in the middle of a change of places, and with the result that
    ///     this is or was to be.
    init(
        _ name: String, in root: Descriptor, at path: String, settings: String?,
        recover: (OutputRecord, _ swapped: String, _ result: [UInt8]) -> Void
    ) throws(OutputError) {
        self.path = "\(path)/\(name)"
        if mkdirat(root.number, name, 0o777) != 0, errno != EEXIST {
            throw .system(action: "make the directory", path: self.path, code: errno)
        }
        guard let directory = Descriptor(name, in: root.number, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
            throw errno == ENOTDIR || errno == ELOOP
                ? .foreignRecord(self.path) : .system(action: "open the directory", path: self.path, code: errno)
        }
        self.directory = directory
        file = try Self.open(in: directory, at: self.path)
        self.settings = Array((settings ?? "").utf8)
        let isAlone = settings != nil
        let mayRecover = flock(file.number, LOCK_EX | LOCK_NB) == 0
        guard mayRecover || (!isAlone && flock(file.number, LOCK_SH) == 0) else {
            throw errno == EWOULDBLOCK
                ? .busy(path) : .system(action: "lock", path: "\(self.path)/\(Self.fileName)", code: errno)
        }
        let isOlder = file.status.map { FileSystem.Status($0).modified < FileSystem.startOfSystem } ?? false
        try begin()
        try refresh()
        if isOlder { try append("\nrestarted\n") }
        if mayRecover {
            // The intentions of earlier runs are of no use any more.
            if sweep(recover) { try append("\nswept\n") }
            if !isAlone { flock(file.number, LOCK_SH) }
        }
        // On a line of its own, whatever a run that was killed has half written.
        try append("\nrun \(run)\n" + (isAlone ? "with \(EscapedName.text(self.settings))\n" : ""))
    }

    // A child process that is just being started has another descriptor of the same file, and would keep the lock.
    deinit { unlock() }

    /// Lets other runs have the record.
    func unlock() { flock(file.number, LOCK_UN) }

    /// The contents that were written under a name, each once.
    func entries(_ name: [UInt8]) -> [Entry] { state.withLock { $0.entries[name] ?? [] } }

    /// Whether a file is what a run has written as a result, unchanged.
    ///
    /// One that is empty, and was so when the machine was started, is taken for it too: a power failure leaves that of a new
    /// file, and may take the line about it as well. A newer one may be somebody's who is about to fill it.
    func isWritten(_ name: [UInt8], _ file: Descriptor) -> Bool {
        try? refresh()
        guard let status = file.status, status.st_mode & S_IFMT == S_IFREG else { return false }
        let entries = entries(name)
        let size = Int(status.st_size)
        let mayBeOurs = !entries.isEmpty || state.withLock { $0.wasRestarted }
        if size == 0, mayBeOurs, FileSystem.Status(status).modified < FileSystem.startOfSystem { return true }
        guard entries.contains(where: { $0.content.size == size }), let content = FileContent(of: file, size: size)
        else { return false }
        return entries.contains { $0.content == content }
    }

    /// Notes what a result will be.
    ///
    /// - Returns: Whether it has been nobody's result before.
    @discardableResult
    func willWrite(_ name: [UInt8], _ content: FileContent) throws(OutputError) -> Bool {
        let known = entries(name).filter { $0.content == content }
        if !known.contains(where: { $0.settings == settings }) {
            try append("made \(content.text) \(EscapedName.text(name))\n")
        }
        return known.isEmpty
    }

    /// Takes that back: the result did not get its name.
    func didNotWrite(_ name: [UInt8], _ content: FileContent) throws(OutputError) {
        try append("lost \(content.text) \(EscapedName.text(name))\n")
    }

    /// Notes that a whole file will change places with a result of an earlier run, and gives it a name that says so.
    ///
    /// - Returns: that name.
    func willSwap(_ unfinished: String, with name: [UInt8]) throws(OutputError) -> String {
        let swapped = "swapped-\(unfinished.dropFirst("unfinished-".utf8.count))"
        try append("swap \(swapped) \(EscapedName.text(name))\n")
        guard renameat(directory.number, unfinished, directory.number, swapped) == 0 else {
            throw .system(action: "write", path: "\(path)/\(swapped)", code: errno)
        }
        return swapped
    }

    /// A name in `directory` that no other run has used, for a file that is written.
    func unfinishedName() -> String {
        state.withLock { state in
            state.count += 1
            return "unfinished-\(run)-\(state.count)"
        }
    }

    private static func open(in directory: Descriptor, at path: String) throws(OutputError) -> Descriptor {
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        var file = Descriptor(fileName, in: directory.number, flags)
        if file == nil, errno == ENOENT {
            // Somebody else's directory stays as it is.
            var isEmpty = true
            do throws(SystemError) {
                try Directory.forEachName(in: path) { if $0 != fileName { isEmpty = false } }
            } catch {
                throw .system(action: "read", path: path, code: error.code)
            }
            guard isEmpty else { throw .foreignRecord(path) }
            file = Descriptor(fileName, in: directory.number, flags | O_CREAT)
        }
        guard let file, let status = file.status else {
            throw .system(action: "open", path: "\(path)/\(fileName)", code: errno)
        }
        // One with a second name may be somebody's, too.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { throw .foreignRecord(path) }
        return file
    }

    /// Writes the header, or what a killed run has left out of it.
    private func begin() throws(OutputError) {
        let header = Array(Self.header.utf8)
        guard let found = file.read(header.count) else {
            throw .system(action: "read", path: "\(path)/\(Self.fileName)", code: errno)
        }
        guard header.starts(with: found) else { throw .foreignRecord(path) }
        try append(String(decoding: header.dropFirst(found.count), as: UTF8.self))
        state.withLock { $0.offset = header.count }
    }

    private func append(_ text: String) throws(OutputError) {
        let failure = state.withLock { state -> Int32? in
            do throws(SystemError) {
                try file.write(Array(((state.isTorn ? "\n" : "") + text).utf8))
                state.isTorn = false
                return nil
            } catch {
                state.isTorn = true
                return error.code
            }
        }
        if let failure { throw .system(action: "write", path: "\(path)/\(Self.fileName)", code: failure) }
        try refresh()
    }

    /// Reads the lines that were added, by this run or another at the same time.
    private func refresh() throws(OutputError) {
        let isRead = state.withLock { state in
            while let status = file.status {
                let count = min(Self.chunkSize, max(0, Int(status.st_size) - state.offset))
                guard let bytes = file.read(count, at: state.offset) else { return false }
                guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                    guard count == Self.chunkSize, bytes.count == count else { return true }
                    // A line longer than this is none of ours.
                    state.offset += count
                    continue
                }
                for line in bytes[...end].split(separator: UInt8(ascii: "\n")) { read(line, into: &state) }
                state.offset += end + 1
            }
            return false
        }
        guard isRead else { throw .system(action: "read", path: "\(path)/\(Self.fileName)", code: errno) }
    }

    /// Takes one line; one that makes no sense says nothing.
    private func read(_ line: ArraySlice<UInt8>, into state: inout State) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        switch words.count {
        case 4 where words[0].elementsEqual("made".utf8):
            guard let content = FileContent(digest: words[1], size: words[2]), let name = EscapedName.bytes(words[3])
            else { return }
            let known = state.entries[name]?.firstIndex { $0.content == content }
            if let known {
                state.entries[name]?[known].settings = state.settings
            } else {
                state.entries[name, default: []].append(Entry(content: content, settings: state.settings))
            }
        case 4 where words[0].elementsEqual("lost".utf8):
            guard let content = FileContent(digest: words[1], size: words[2]), let name = EscapedName.bytes(words[3])
            else { return }
            state.entries[name]?.removeAll { $0.content == content }
        case 2 where words[0].elementsEqual("with".utf8): state.settings = EscapedName.bytes(words[1]) ?? []
        case 3 where words[0].elementsEqual("swap".utf8):
            // Those of this run are for the next.
            if words[1].starts(with: "swapped-\(run)-".utf8) { return }
            state.swaps[String(decoding: words[1], as: UTF8.self)] = EscapedName.bytes(words[2])
        case 2 where words[0].elementsEqual("run".utf8):
            state.runs.insert(String(decoding: words[1], as: UTF8.self))
        case 1 where words[0].elementsEqual("swept".utf8): (state.swaps, state.runs) = ([:], [])
        case 1 where words[0].elementsEqual("restarted".utf8): state.wasRestarted = true
        default: break
        }
    }

    /// Removes what killed runs have not finished.
    ///
    /// - Returns: Whether there were any, and nothing is left of them.
    private func sweep(_ recover: (OutputRecord, String, [UInt8]) -> Void) -> Bool {
        let (runs, swaps) = state.withLock { ($0.runs, $0.swaps) }
        guard !runs.isEmpty else { return false }
        var names: [String] = []
        guard (try? Directory.forEachName(in: path, { if let name = $0 { names.append(name) } })) != nil else {
            return false
        }
        var isClean = true
        for name in names {
            let parts = name.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count >= 3, runs.contains(String(parts[1])) else { continue }
            switch parts[0] {
            case "unfinished": unlinkat(directory.number, name, 0)
            case "swapped":
                // Where a power failure took the line about it, nobody knows where it was; it stays.
                if let result = swaps[parts.prefix(3).joined(separator: "-")] { recover(self, name, result) }
            default: continue
            }
            var status = stat()
            isClean = isClean && fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) != 0
        }
        return isClean
    }
}

import Files

/// A directory that results are written to. A file is there as a whole or not at all, and takes the place only of what an earlier run has made.
///
/// A record, a hidden directory beside the results, says which files runs have made: each result is noted in it with the
/// SHA-256 of its content before it gets its name. Everything else that lies here stays as it is, whoever put it there and
/// when: a new name is given only where there is none, and what has changed places with a result is looked at once more.
public final class OutputDirectory: Sendable {
    public let path: String
    private let root: Descriptor
    let record: OutputRecord
    private let inputs: InputPlaces

    /// Makes the directory and those above it, unless they are there.
    ///
    /// - Parameters:
    ///   - path: Where it is to be.
    ///   - record: The name of the record in it; programs with records of their own leave each other's results alone.
    ///   - settings: Everything that results depend on beside what they are made of, as text. A run that names it has the
    ///     directory alone: another with the same record is refused as long as this one holds it.
    ///   - inputs: What is read, where the directory must not lie and which it must not contain.
    public init(
        _ path: String, record: String, settings: String? = nil, apartFrom inputs: InputPlaces = InputPlaces()
    ) throws(OutputError) {
        let path = path.isEmpty ? "." : path
        try inputs.check(path)
        do throws(SystemError) {
            try Directory.make(path, mode: 0o777)
        } catch {
            throw .system(action: "make the directory", path: path, code: error.code)
        }
        guard let root = Descriptor(path, O_RDONLY | O_DIRECTORY) else {
            throw .system(action: "open the directory", path: path, code: errno)
        }
        // The path may lead elsewhere by now.
        try inputs.check(opened: root.number, as: path)
        self.path = path
        self.root = root
        self.inputs = inputs
        self.record = try OutputRecord(record, in: root, at: path, settings: settings) { record, swapped, name in
            let result = Result { () throws(OutputError) in
                try ResultPlace(name, in: root, at: path, inputs: inputs, makesFolders: false)
            }
            if case .success(let place?) = result { place.restore(swapped, record) }
        }
    }

    /// Lets other runs have the directory, once nothing more is written to it.
    public func unlock() { record.unlock() }

    /// Whether a file is what a run with these settings has written under this name, for all that its length tells.
    ///
    /// It is read only where runs with other settings have written as many bytes: to leave a result alone takes less proof
    /// than to replace it.
    public func isCurrent(_ name: String, size: Int) -> Bool {
        let candidates = record.entries(Array(name.utf8)).filter { $0.content.size == size }
        let current = candidates.filter { $0.settings == record.settings }
        if current.isEmpty || current.count == candidates.count { return !current.isEmpty }
        let content = (try? place(name, makesFolders: false))?.content(of: size)
        return current.contains { $0.content == content }
    }

    /// Throws if something has the result's name that must not be replaced.
    public func check(_ name: String) throws(OutputError) {
        _ = try place(name, makesFolders: false)?.isTaken(record)
    }

    /// Writes a file, in place of what an earlier run has written under this name.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name, with those of folders before it if wanted; they are made.
    ///   - modified: When it is to have been changed, in nanoseconds since 1970; now unless given.
    /// - Returns: its path.
    @discardableResult
    public func write(_ bytes: [UInt8], as name: String, modified: Int? = nil) throws(OutputError) -> String {
        guard let place = try place(name, makesFolders: true) else {
            throw .system(action: "write", path: "\(path)/\(name)", code: ENOENT)
        }
        let isTaken = try place.isTaken(record)
        let unfinished = record.unfinishedName()
        let swapped: String
        do throws(OutputError) {
            try write(bytes, unfinished: unfinished, modified: modified, for: place.path)
            let content = FileContent(bytes)
            let isNews = try record.willWrite(place.name, content)
            if !isTaken {
                do throws(OutputError) {
                    try place.publish(unfinished, record)
                } catch {
                    // A file that has the name may be as long, and would be taken for it by the next run.
                    if isNews { try? record.didNotWrite(place.name, content) }
                    throw error
                }
                return place.path
            }
            swapped = try record.willSwap(unfinished, with: place.name)
        } catch {
            unlinkat(record.directory.number, unfinished, 0)
            throw error
        }
        try place.replace(with: swapped, record)
        return place.path
    }

    func place(_ name: String, makesFolders: Bool) throws(OutputError) -> ResultPlace? {
        try ResultPlace(Array(name.utf8), in: root, at: path, inputs: inputs, makesFolders: makesFolders)
    }

    func write(
        _ bytes: [UInt8], unfinished: String, modified: Int?, for path: String
    ) throws(OutputError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        guard let file = Descriptor(unfinished, in: record.directory.number, flags) else {
            throw .system(action: "write", path: path, code: errno)
        }
        do throws(SystemError) {
            try file.write(bytes)
        } catch {
            throw .system(action: "write", path: path, code: error.code)
        }
        guard let modified else { return }
        var (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Before 1970: the fraction counts from the second before it.
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        let time = timespec(tv_sec: seconds, tv_nsec: rest)
        _ = futimens(file.number, [time, time])
    }
}

import CRename
import Files

/// A name in an output directory, held by the directory that it is in: links that change meanwhile lead nowhere else.
struct ResultPlace {
    /// With the names of folders before it, as the record knows it.
    let name: [UInt8]
    let path: String
    private let folder: Descriptor
    private let last: String
    private let inputs: InputPlaces

    /// Goes down to the folder that a name is in; `nil` if it is not there and is not made.
    init?(
        _ name: [UInt8], in root: Descriptor, at path: String, inputs: InputPlaces, makesFolders: Bool
    ) throws(OutputError) {
        self.name = name
        self.inputs = inputs
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        self.path = "\(path)/\(parts.joined(separator: "/"))"
        guard let last = parts.last, !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw .system(action: "write", path: self.path, code: EINVAL)
        }
        self.last = last
        var folder = root
        var place = path
        for part in parts.dropLast() {
            place += "/\(part)"
            folder = try Self.enter(part, of: folder, at: place, makes: makesFolders) ?? root
            if folder === root { return nil }
            // It may be one of those that are read, by a mount.
            if let status = folder.status, let input = inputs.path(of: FileIdentity(status)) {
                throw .isInput(output: place, input: input)
            }
        }
        self.folder = folder
    }

    private static func enter(
        _ name: String, of folder: Descriptor, at path: String, makes: Bool
    ) throws(OutputError) -> Descriptor? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        if let below = Descriptor(name, in: folder.number, flags) { return below }
        var code = errno
        if code == ENOENT {
            guard makes else { return nil }
            guard mkdirat(folder.number, name, 0o777) == 0 || errno == EEXIST else {
                throw .system(action: "make the directory", path: path, code: errno)
            }
            if let below = Descriptor(name, in: folder.number, flags) { return below }
            code = errno
        }
        throw code == ENOTDIR || code == ELOOP
            ? .notADirectory(path) : .system(action: "open the directory", path: path, code: code)
    }

    /// Whether a result of an earlier run has the name. Throws if anything else has it.
    func isTaken(_ record: OutputRecord) throws(OutputError) -> Bool {
        var status = stat()
        guard fstatat(folder.number, last, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return false }
            throw .system(action: "write", path: path, code: errno)
        }
        if inputs.contains(file: FileIdentity(status)) { throw .replacesInput(path) }
        guard isResult(last, in: folder, record) else { throw .occupied(path) }
        return true
    }

    /// The content of the file that has the name, if it is this long.
    func content(of size: Int) -> FileContent? {
        let file = Descriptor(last, in: folder.number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return file.flatMap { FileContent(of: $0, size: size) }
    }

    /// Gives an unfinished file the name, if nothing has it.
    func publish(_ unfinished: String, _ record: OutputRecord) throws(OutputError) {
        guard rename_new(record.directory.number, unfinished, folder.number, last) != 0 else { return }
        throw errno == EEXIST ? .occupied(path) : .system(action: "write", path: path, code: errno)
    }

    /// Gives a file the name of a result of an earlier run, which goes.
    ///
    /// The two change places first. So whatever came there since it was looked at is not lost, and comes back.
    func replace(with swapped: String, _ record: OutputRecord, atOnce: Bool = true) throws(OutputError) {
        let directory = record.directory
        guard exchange(swapped, record, atOnce: atOnce) else {
            let code = errno
            if code == ENOENT {
                // Nothing has the name any more.
                defer { unlinkat(directory.number, swapped, 0) }
                return try publish(swapped, record)
            }
            if isResult(swapped, in: directory, record) { unlinkat(directory.number, swapped, 0) }
            throw code == EEXIST ? .occupied(path) : .system(action: "write", path: path, code: code)
        }
        if isResult(swapped, in: directory, record) {
            unlinkat(directory.number, swapped, 0)
        } else {
            restore(swapped, record)
            throw .occupied(path)
        }
    }

    /// Puts back what changed places with a result and is none, and removes what is one.
    func restore(_ swapped: String, _ record: OutputRecord) {
        let directory = record.directory
        if !isResult(swapped, in: directory, record) {
            if rename_new(directory.number, swapped, folder.number, last) == 0 { return }
            // Should the name be another foreign file's by now, this one stays where it is.
            guard isResult(last, in: folder, record), exchange(swapped, record) else { return }
        }
        if isResult(swapped, in: directory, record) { unlinkat(directory.number, swapped, 0) }
    }

    private func isResult(_ file: String, in directory: Descriptor, _ record: OutputRecord) -> Bool {
        guard let file = Descriptor(file, in: directory.number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = file.status, !inputs.contains(file: FileIdentity(status))
        else { return false }
        return record.isWritten(name, file)
    }

    /// Lets a file change places with what has the name; where the file system cannot, in three steps.
    ///
    /// - Parameter atOnce: Whether that is to be tried.
    func exchange(_ swapped: String, _ record: OutputRecord, atOnce: Bool = true) -> Bool {
        let directory = record.directory.number
        if atOnce {
            if rename_exchange(directory, swapped, folder.number, last) == 0 { return true }
            guard errno == ENOTSUP else { return false }
        }
        let aside = "\(swapped)-aside"
        guard renameat(folder.number, last, directory, aside) == 0 else { return false }
        guard rename_new(directory, swapped, folder.number, last) == 0 else {
            let code = errno
            _ = rename_new(directory, aside, folder.number, last)
            errno = code
            return false
        }
        return renameat(directory, aside, directory, swapped) == 0
    }
}

import Files

/// The files and directories that a program reads, by identity: nothing may be written to any of them.
public struct InputPlaces: Sendable {
    /// Directories that are read, each with the path by which it was found.
    private var directories: [FileIdentity: String] = [:]
    /// Directories that those lie in, each with a path of one that does.
    private var ancestors: [FileIdentity: String] = [:]
    private var files: Set<FileIdentity> = []

    public init() {}

    /// Adds a directory that reading begins at.
    public mutating func addRoot(_ path: String) throws(OutputError) {
        guard let chain = FileIdentity.withAncestors(path) else {
            throw .system(action: "read", path: path, code: errno)
        }
        add(chain, at: path)
        for ancestor in Self.ancestors(elsewhere: path, andOfAllBelow: true) { ancestors[ancestor] = path }
        for layer in Self.layers(of: path) { add(FileIdentity.withAncestors(layer) ?? [], at: path) }
    }

    private mutating func add(_ chain: [FileIdentity], at path: String) {
        if let directory = chain.first { directories[directory] = path }
        for ancestor in chain.dropFirst() { ancestors[ancestor] = path }
    }

    /// The directories that an overlay shows where a directory is, or below it.
    private static func layers(of path: String) -> [String] {
        guard let root = real(path) else { return [] }
        let mounts = MountTable.current
        return ([root] + mounts.attachments(below: root)).flatMap { mounts.layers(of: $0) }
    }

    /// The directories above one by its other paths, where it is attached to several places.
    private static func ancestors(elsewhere path: String, andOfAllBelow: Bool) -> [FileIdentity] {
        guard let root = real(path) else { return [] }
        let mounts = MountTable.current
        var found: [FileIdentity] = []
        var waiting = [root] + (andOfAllBelow ? mounts.attachments(below: root) : [])
        // By bytes: Swift's strings are equal where a file system tells them apart.
        var seen = Set(waiting.map { Array($0.utf8) })
        while let next = waiting.popLast() {
            guard let identity = FileIdentity(next) else { continue }
            for other in mounts.otherPaths(of: next)
            where FileIdentity(other) == identity && seen.insert(Array(other.utf8)).inserted {
                found += FileIdentity.withAncestors(other)?.dropFirst() ?? []
                waiting.append(other)
            }
            // The directory that it is attached to may be in several places too.
            guard let place = mounts.attachment(of: next) else { continue }
            let (parent, _) = split(place)
            if seen.insert(Array(parent.utf8)).inserted { waiting.append(parent) }
        }
        return found
    }

    /// Adds a directory below a root, which need not lie there by its own account: it may be mounted.
    public mutating func add(directory: FileIdentity, at path: String) {
        if directories[directory] == nil { directories[directory] = path }
    }

    public mutating func add(file: FileIdentity) { files.insert(file) }

    func contains(file: FileIdentity) -> Bool { files.contains(file) }

    /// The path of a directory that is read.
    func path(of directory: FileIdentity) -> String? { directories[directory] }

    /// Refuses an output that is, contains or lies in a directory that is read. It need not be there yet.
    public func check(_ output: String) throws(OutputError) {
        var existing = output
        while FileIdentity(existing) == nil {
            let code = errno
            let (parent, name) = Self.split(existing)
            // Above what is not there, nothing is known.
            guard code == ENOENT, name != "..", parent != existing else {
                throw .system(action: "make the directory", path: output, code: code)
            }
            existing = parent
        }
        try check(existing, as: output, isThere: existing == output)
        // By another path it may lie in what is read, even in a hidden folder that is not looked into.
        for place in Self.ancestors(elsewhere: existing, andOfAllBelow: false) {
            if let input = directories[place] { throw .insideInput(output: output, input: input) }
        }
    }

    /// Refuses as `check(_:)` does, by the directory itself that was opened.
    func check(opened directory: Int32, as output: String) throws(OutputError) {
        try check(".", from: directory, as: output, isThere: true)
    }

    private func check(
        _ path: String, from directory: Int32 = AT_FDCWD, as output: String, isThere: Bool
    ) throws(OutputError) {
        guard let chain = FileIdentity.withAncestors(path, from: directory), let nearest = chain.first else {
            throw .system(action: "make the directory", path: output, code: errno)
        }
        if isThere, let input = directories[nearest] { throw .isInput(output: output, input: input) }
        for place in chain {
            if let input = directories[place] { throw .insideInput(output: output, input: input) }
        }
        if isThere, let input = ancestors[nearest] { throw .containsInput(output: output, input: input) }
    }

    /// The absolute path without links.
    private static func real(_ path: String) -> String? {
        guard let absolute = realpath(path, nil) else { return nil }
        defer { free(absolute) }
        return String(cString: absolute)
    }

    /// A path without its last component, and that. By bytes: a mark that combines with the slash before it hides it.
    private static func split(_ path: String) -> (parent: String, name: String) {
        let slash = UInt8(ascii: "/")
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        guard let last = bytes.lastIndex(of: slash) else { return (".", "\(Substring(bytes))") }
        let name = "\(Substring(bytes[bytes.index(after: last)...]))"
        return (last == bytes.startIndex ? "/" : "\(Substring(bytes[..<last]))", name)
    }
}

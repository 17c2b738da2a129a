import CommandOutput

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the thumbnails of one directory go. One run has it at a time; what a killed one left behind is removed.
///
/// The file `.thumbnails` says with which settings its thumbnails were made. It is locked while a run goes on, and what is
/// older than it was made with others.
final class ThumbnailFolder: Sendable {
    static let settingsName = ".thumbnails"

    let path: String
    /// What is older, in nanoseconds since 1970, was not made with these settings.
    let since: Int
    private let lock: Int32

    init(_ path: String, settings: String) throws(SurveyError) {
        do {
            self.path = try OutputDirectory(path).path
        } catch {
            throw .output("\(error)")
        }
        let file = "\(path)/\(Self.settingsName)"
        lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard lock >= 0 else { throw .output("cannot create \(file): \(String(cString: strerror(errno)))") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw .output("another run is at work in \(path)")
        }
        guard let since = Self.note(settings, in: lock) else {
            let reason = String(cString: strerror(errno))
            close(lock)
            throw .output("cannot write \(file): \(reason)")
        }
        self.since = since
        Self.sweep(path)
    }

    deinit { close(lock) }

    /// Writes the settings unless they are what is written; a half-written text is neither these nor others.
    private static func note(_ settings: String, in file: Int32) -> Int? {
        let wanted = Array(settings.utf8)
        var found = [UInt8](repeating: 0, count: wanted.count + 1)
        let count = pread(file, &found, found.count, 0)
        if count == wanted.count, found.starts(with: wanted) { return modified(file) }
        guard ftruncate(file, 0) == 0, pwrite(file, wanted, wanted.count, 0) == wanted.count,
            let written = modified(file)
        else { return nil }
        // Files' times go in steps of some milliseconds, of two seconds at most. What was made with other settings just now is
        // to be older.
        for _ in 0..<3_000 {
            usleep(1_000)
            guard futimens(file, nil) == 0, let noted = modified(file) else { return nil }
            if noted > written { return noted }
        }
        return modified(file)
    }

    private static func modified(_ file: Int32) -> Int? {
        var status = stat()
        return fstat(file, &status) == 0 ? FileSystem.Status(status).modified : nil
    }

    private static func sweep(_ root: String) {
        var directories = [root]
        while let directory = directories.popLast() {
            for case let name? in FileSystem.names(in: directory) ?? [] {
                let path = "\(directory)/\(name)"
                if name.hasPrefix(OutputDirectory.temporaryPrefix) {
                    unlink(path)
                } else if FileSystem.status(path, followsLinks: false)?.entry == .directory {
                    directories.append(path)
                }
            }
        }
    }
}

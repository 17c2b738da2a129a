import CLibrary
import CommandOutput

/// The output directory of one directory's thumbnails. One run has it at a time.
///
/// Beside the record of what was written, `.thumbnails/settings` says with which settings; what is older than that file was
/// made with others.
final class ThumbnailFolder: Sendable {
    static let recordName = ".thumbnails"

    let output: OutputDirectory
    /// What is older, in nanoseconds since 1970, was not made with these settings.
    let since: Int

    init(_ path: String, settings: String, apartFrom inputs: InputPlaces) throws(SurveyError) {
        do {
            output = try OutputDirectory(path, record: Self.recordName, isAlone: true, apartFrom: inputs)
            since = try Self.note(settings, at: "\(output.path)/\(Self.recordName)/settings")
        } catch {
            throw .output(error)
        }
    }

    // Not when the last photo goes that knows the output: streams may keep one a little longer than the work takes.
    deinit { output.unlock() }

    private static func note(_ settings: String, at path: String) throws(OutputError) -> Int {
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw .system(action: "open", path: path, code: errno) }
        defer { close(file) }
        var status = stat()
        // It is written over: not if it is somebody else's by a second name.
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw .foreignRecord(path)
        }
        guard let since = note(settings, in: file) else {
            throw .system(action: "write", path: path, code: errno)
        }
        return since
    }

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
}

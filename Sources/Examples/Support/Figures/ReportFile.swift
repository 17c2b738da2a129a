import CLibrary

/// A file that a program writes about its run, at a path that its user names: never in place of a file that is something else.
public enum ReportFile {
    /// Writes a new file, or one in place of a file that is empty or begins as it does: an earlier run's report. A pipe or a device is written
    /// to in any case. Says so where it does not write.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The path of the file.
    ///   - beginning: What a file that is replaced must begin with.
    /// - Returns: `true` if it was written.
    public static func write(_ bytes: [UInt8], to path: String, inPlaceOf beginning: [UInt8]) -> Bool {
        let isThere = status(path) != nil
        guard !isThere || isReplaceable(path, beginning) else {
            print("\(path) is in the way: no report of this program. Move it away, or name another file")
            return false
        }
        // With x a file that has come meanwhile is not replaced.
        guard let file = fopen(path, isThere ? "w" : "wx") else { return failed(path) }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWhole ? true : failed(path)
    }

    private static func failed(_ path: String) -> Bool {
        print("\(path) could not be written: \(String(cString: strerror(errno)))")
        return false
    }

    private static func isReplaceable(_ path: String, _ beginning: [UInt8]) -> Bool {
        guard let found = status(path), found.st_mode & S_IFMT == S_IFREG else { return true }
        if found.st_size == 0 { return true }
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: beginning.count)
        return fread(&start, 1, start.count, file) == start.count && start == beginning
    }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }
}

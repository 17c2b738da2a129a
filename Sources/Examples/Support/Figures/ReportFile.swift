import CLibrary

/// A file that a program writes about its run, at a path that its user names: never in place of a file that is something else.
public enum ReportFile {
    /// The bytes of a file beyond which it is taken for no report.
    private static let largest = 4 << 20

    /// Writes a new file, or one in place of a file that is empty or an earlier run's report. A pipe that somebody reads, or a device, is
    /// written to in any case. Says so where it does not write.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The path of the file.
    ///   - isReport: A closure that returns whether the whole content of a file is such a report.
    /// - Returns: `true` if it was written.
    public static func write(_ bytes: [UInt8], to path: String, inPlaceOf isReport: (String) -> Bool) -> Bool {
        var found = stat()
        let isThere = stat(path, &found) == 0
        let isFile = found.st_mode & S_IFMT == S_IFREG
        guard !isThere || !isFile || isReplaceable(path, Int(found.st_size), isReport) else {
            print("\(path) is in the way: no report of this program. Move it away, or name another file")
            return false
        }
        // A file that has come meanwhile is not replaced. A pipe that nobody reads would be waited for.
        let flags = isThere ? O_WRONLY | (isFile ? O_TRUNC : O_NONBLOCK) : O_WRONLY | O_CREAT | O_EXCL
        let number = open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { return failed(path) }
        _ = fcntl(number, F_SETFL, 0)
        guard let file = fdopen(number, "w") else { return failed(path) }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWhole ? true : failed(path)
    }

    private static func failed(_ path: String) -> Bool {
        print("\(path) could not be written: \(String(cString: strerror(errno)))")
        return false
    }

    private static func isReplaceable(_ path: String, _ size: Int, _ isReport: (String) -> Bool) -> Bool {
        if size == 0 { return true }
        guard size <= largest, let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var content = [UInt8](repeating: 0, count: size)
        guard fread(&content, 1, size, file) == size, fgetc(file) == EOF else { return false }
        return isReport(String(decoding: content, as: UTF8.self))
    }
}

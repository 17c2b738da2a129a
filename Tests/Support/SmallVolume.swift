import Files

/// A file system of a few megabytes in memory, for whoever may mount one.
package final class SmallVolume: Sendable {
    package let path: String

    /// Mounts it; nil where that is not allowed.
    ///
    /// - Parameter size: Its size in bytes.
    package init?(size: Int) {
        var template = Array("/tmp/imagestreams-volume-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let isMounted = Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
        if !isMounted {
            rmdir(path)
            return nil
        }
    }

    deinit {
        _ = Self.run("/bin/umount", ["-l", path])
        rmdir(path)
    }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        guard access(program, X_OK) == 0, let child = try? ChildProcess(path: program, arguments) else { return false }
        return child.wait() == 0
    }
}

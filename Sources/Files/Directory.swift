/// Directories by system calls.
package enum Directory {
    /// Makes a directory and those above it, unless they are there.
    package static func make(_ path: String, mode: mode_t) throws(SystemError) {
        if mkdir(path, mode) == 0 { return }
        var failure = SystemError("mkdir")
        if failure.code == ENOENT, let above = parent(of: path) {
            try make(above, mode: mode)
            if mkdir(path, mode) == 0 { return }
            failure = SystemError("mkdir")
        }
        var status = stat()
        // It is there, whatever reason the system gave first.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
    }

    /// Calls with each name in a directory but `.` and `..`, in no order; with nil for one that is not UTF-8.
    package static func forEachName(in path: String, _ body: (String?) -> Void) throws(SystemError) {
        guard let stream = opendir(path) else { throw SystemError("opendir") }
        defer { closedir(stream) }
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if name != ".", name != ".." { body(name) }
        }
    }

    /// Waits until the names in a directory are on the medium.
    package static func synchronize(_ path: String) throws(SystemError) {
        try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    private static func parent(of path: String) -> String? {
        var name = Substring(path)
        while name.hasSuffix("/") { name.removeLast() }
        guard let slash = name.lastIndex(of: "/"), slash > name.startIndex else { return nil }
        return String(name[..<slash])
    }
}

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
        while let item = try next({ readdir(stream) }) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if name != ".", name != ".." { body(name) }
        }
    }

    /// The directory that the last name of a path stands in, as the path spells it.
    package static func holding(_ path: String) -> String {
        // By bytes: a mark that combines with the slash before it hides it.
        guard let last = path.utf8.lastIndex(of: slash) else { return "." }
        return last == path.startIndex ? "/" : String(path[..<last])
    }

    /// Waits until the names in a directory are on the medium.
    package static func synchronize(_ path: String) throws(SystemError) {
        try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// An entry of a directory while its names are being read.
    package struct Entry: ~Copyable {
        /// The bytes of the name, which are UTF-8, without the NUL behind them; valid only within the call.
        package let name: UnsafeRawBufferPointer
        /// A Boolean value that indicates whether it is a directory; a link to one is not.
        package let isDirectory: Bool
        private let directory: Int32

        fileprivate init(_ name: UnsafeRawBufferPointer, isDirectory: Bool, in directory: Int32) {
            self.name = name
            self.isDirectory = isDirectory
            self.directory = directory
        }

        /// The entry that stands under the name, which is not followed if it is a link; nil for nothing, or what may not be looked
        /// at, which `errno` tells.
        package var facts: FileFacts? {
            var status = stat()
            guard let text = name.bindMemory(to: CChar.self).baseAddress,
                fstatat(directory, text, &status, AT_SYMLINK_NOFOLLOW) == 0
            else { return nil }
            return FileFacts(status)
        }
    }

    /// Calls with each entry of a directory but `.`, `..` and those whose names are not UTF-8, in no order.
    package static func forEachEntry(
        in path: String, _ body: (borrowing Entry) -> Void
    ) throws(SystemError) {
        guard let stream = opendir(path) else { throw SystemError("opendir") }
        defer { closedir(stream) }
        let directory = dirfd(stream)
        while let item = try next({ readdir(stream) }) {
            withUnsafeBytes(of: &item.pointee.d_name) { field in
                guard let base = field.baseAddress else { return }
                let name = UnsafeRawBufferPointer(start: base, count: strlen(base.assumingMemoryBound(to: CChar.self)))
                guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8), isUTF8(name) else { return }
                var isDirectory = item.pointee.d_type == UInt8(DT_DIR)
                // Some file systems do not say.
                if item.pointee.d_type == UInt8(DT_UNKNOWN) {
                    var status = stat()
                    isDirectory =
                        fstatat(directory, base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW) == 0
                        && status.st_mode & S_IFMT == S_IFDIR
                }
                body(Entry(name, isDirectory: isDirectory, in: directory))
            }
        }
    }

    /// The next entry; nil at the end, which a failure must not pass for.
    private static func next(
        _ read: () -> UnsafeMutablePointer<dirent>?
    ) throws(SystemError) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        let item = read()
        if item == nil, errno != 0 { throw SystemError("readdir") }
        return item
    }

    private static func isUTF8(_ name: UnsafeRawBufferPointer) -> Bool {
        name.allSatisfy { $0 < 128 } || String(validating: name, as: UTF8.self) != nil
    }

    private static let slash = UInt8(ascii: "/")

    /// The directory above one, by names alone; nil for one at the root or where a relative path begins.
    private static func parent(of path: String) -> String? {
        var name = path.utf8[...]
        while name.last == slash { name.removeLast() }
        guard let last = name.lastIndex(of: slash), last > name.startIndex else { return nil }
        return String(Substring(name[..<last]))
    }
}

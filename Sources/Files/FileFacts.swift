/// What tells one file that stands under a name from another one, or from itself after a use.
package struct FileFacts: Sendable, Hashable {
    package let device: UInt64
    package let number: UInt64
    package let size: Int
    /// When the content last changed, since 1970.
    package let modified: Duration
    /// When it was last used, since 1970.
    package let lastUse: Duration
    /// When anything about it last changed, its content, mode or number of names, since 1970. Nobody can set it.
    package let changed: Duration
    /// The number of names that the file has.
    package let links: Int
    package let isRegular: Bool

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        #if canImport(Darwin)
            modified = Duration(status.st_mtimespec)
            lastUse = Duration(status.st_atimespec)
            changed = Duration(status.st_ctimespec)
        #else
            modified = Duration(status.st_mtim)
            lastUse = Duration(status.st_atim)
            changed = Duration(status.st_ctim)
        #endif
        links = Int(status.st_nlink)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// What stands under a name, which is not followed if it is a link; nil for nothing.
    package init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether both are the same file, whatever happened to it.
    package func isSameFile(as other: FileFacts) -> Bool { device == other.device && number == other.number }

    /// Whether both are the same file, which has not been written since. The number of one that is gone goes to the next that is made: it tells
    /// files apart only as long as somebody holds them open.
    package func isUnwritten(since other: FileFacts) -> Bool {
        isSameFile(as: other) && size == other.size && modified == other.modified
    }
}

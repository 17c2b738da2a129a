import Files

/// Which file or directory something is, whatever names and links lead to it.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    public init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The identity of what a path leads to, through links; `nil` with `errno` set if it leads nowhere.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// A directory and all those that it lies in, the nearest first; `nil` with `errno` set if they cannot be told.
    ///
    /// - Parameter directory: An open one that the path begins at.
    static func withAncestors(_ path: String, from directory: Int32 = AT_FDCWD) -> [FileIdentity]? {
        guard let top = FileIdentity("/") else { return nil }
        var found: [FileIdentity] = []
        // Each asked for its parent by itself: names in a path say nothing where a link or a mount lies between.
        var path = path
        while found.last != top {
            var status = stat()
            guard fstatat(directory, path, &status, 0) == 0 else { return nil }
            found.append(FileIdentity(status))
            path += "/.."
        }
        return found
    }
}

import Files

/// The interest in what happens in one folder.
struct WatchedFolder: Sendable, Equatable {
    /// The path that its photos are listed under; nil if none are.
    var path: String?
    /// The names in it by which paths lead to roots.
    var waypoints: Set<String> = []

    mutating func add(_ other: WatchedFolder) {
        path = other.path ?? path
        waypoints.formUnion(other.waypoints)
    }

    /// The folders that a path to a root leads through, each with the name that comes next: what becomes of that name may take the root
    /// away, or bring it back. Of a path with links in it also those that it leads through in the end.
    static func above(_ root: String) -> [(path: String, WatchedFolder)] {
        var paths = [root]
        if let end = realpath(root, nil) {
            paths.append(String(cString: end))
            free(end)
        }
        return paths.flatMap { path in
            var place = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
            return path.split(separator: "/").map { name in
                defer { place += (place == "/" ? "" : "/") + name }
                return (place, WatchedFolder(waypoints: [String(name)]))
            }
        }
    }
}

/// Things that have happened in folders.
struct FolderEvents: Sendable, Equatable {
    /// The places where a photo may have come, gone or become another.
    var places: Set<FolderScan.Place> = []
    /// The places where a file is being written to, or cut, and not closed yet.
    var growing: Set<FolderScan.Place> = []
    /// Whether the system has lost count, or a folder has come, gone or changed.
    var isEverything = false

    static let everything = FolderEvents(isEverything: true)

    var isEmpty: Bool { places.isEmpty && growing.isEmpty && !isEverything }
}

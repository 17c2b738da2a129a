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

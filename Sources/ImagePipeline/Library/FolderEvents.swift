/// Things that have happened in folders.
struct FolderEvents: Sendable, Equatable {
    /// The places where a photo may have come, gone or become another.
    var places: Set<FolderScan.Place> = []
    /// The places where a file is being written to, or cut, and not closed yet.
    var growing: Set<FolderScan.Place> = []
    /// Whether the system has lost count, or a folder has come, gone or changed.
    var isEverything = false
    /// The places that a file has come to.
    private(set) var arrived: Set<FolderScan.Place> = []
    /// The places that a file has left, not counting what was appended: it was deleted, renamed, or gave way to another one.
    private(set) var left: Set<FolderScan.Place> = []
    /// The places that a file has come to and left before anybody looked. If that was a further name of a photo, the photo has another time
    /// now, and the system does not say which photo it was.
    private(set) var missed: Set<FolderScan.Place> = []

    static let everything = FolderEvents(isEverything: true)

    var isEmpty: Bool { places.isEmpty && growing.isEmpty && !isEverything }

    /// Adds that a file has come to a place, or left it; first left, then come, if another one took its place.
    mutating func note(_ place: FolderScan.Place, leaves: Bool, arrives: Bool) {
        places.insert(place)
        if leaves {
            if arrived.contains(place) { missed.insert(place) }
            left.insert(place)
        }
        if arrives { arrived.insert(place) }
    }

    /// Adds what has happened afterwards, but for ``growing``.
    ///
    /// - Parameter seen: The places that a file had come to by the last look, which may have been too late for it.
    mutating func append(_ later: FolderEvents, seen: Set<FolderScan.Place>) {
        missed.formUnion(later.missed)
        missed.formUnion(later.left.filter { arrived.contains($0) || seen.contains($0) })
        places.formUnion(later.places)
        arrived.formUnion(later.arrived)
        isEverything = isEverything || later.isEverything
    }
}

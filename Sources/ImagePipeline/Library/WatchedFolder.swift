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

    /// The folders that the way to a root leads through, links and all, each with the name that comes next: what becomes of that name may
    /// take the root away, or bring it back. They need not be there.
    static func above(_ root: String) -> [(path: String, WatchedFolder)] {
        var way: [(path: String, WatchedFolder)] = []
        var place = root.utf8.first == slash ? "/" : "."
        var names = names(in: root)
        var links = 0
        while let name = names.popLast() {
            if name == ".." {
                place = parent(of: place)
                continue
            }
            way.append((place, WatchedFolder(waypoints: [name])))
            let next = place == "/" ? "/\(name)" : "\(place)/\(name)"
            if links < linkLimit, let target = link(at: next) {
                links += 1
                if target.utf8.first == slash { place = "/" }
                names += Self.names(in: target)
            } else {
                place = next
            }
        }
        return way
    }

    /// The system follows so many, and then takes them for a circle.
    private static let linkLimit = 40

    /// Paths are read by bytes: a mark that combines with the slash before it hides it.
    private static let slash = UInt8(ascii: "/")

    /// The names of a path, the first one last.
    private static func names(in path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
    }

    /// The folder above one that is reached without a link.
    private static func parent(of place: String) -> String {
        let name = place.utf8.split(separator: slash).last.map(Substring.init)
        return name == "." || name == ".." ? "\(place)/.." : Directory.holding(place)
    }

    private static func link(at path: String) -> String? {
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                max(0, readlink(path, $0, buffer.count))
            }
        }
        return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
    }
}

import Streams

/// The state of a prefetcher, changed under its lock.
struct PrefetchState: Sendable {
    /// The remains of a window: they are the user's, and released outside the lock.
    struct Left: Sendable {
        let loads: [SingleAssignmentDisposable]
        let window: [ImageRequest]
    }

    let loadsAtOnce: Int
    var isPaused = false
    var isOver = false
    private(set) var window: [ImageRequest] = []
    private(set) var running: [CacheKey: SingleAssignmentDisposable] = [:]
    /// The keys of the window whose loads have ended.
    private var done: Set<CacheKey> = []
    private var waiting: ArraySlice<(request: ImageRequest, key: CacheKey)> = []
    /// Whether somebody begins loads, and goes on while there are some that may: a load that ends at once leaves the next one to them.
    private var isBeginning = false

    init(loadsAtOnce: Int) {
        self.loadsAtOnce = max(1, loadsAtOnce)
    }

    mutating func move(to newWindow: [ImageRequest]) -> Left {
        let newWindow = isOver ? [] : newWindow
        let old = window
        let keyed = newWindow.map { (request: $0, key: $0.imageKey) }
        let keys = Set(keyed.map(\.key))
        let left = running.filter { !keys.contains($0.key) }
        for key in left.keys { running[key] = nil }
        done.formIntersection(keys)
        window = newWindow
        var seen = done.union(running.keys)
        waiting = keyed.filter { seen.insert($0.key).inserted }[...]
        return Left(loads: Array(left.values), window: old)
    }

    /// - Returns: Whether the caller is to begin loads until there is none that may.
    mutating func startBeginning() -> Bool {
        defer { isBeginning = true }
        return !isBeginning
    }

    /// The load to begin; where none may, beginning is over.
    mutating func next(isIdle: Bool) -> (request: ImageRequest, key: CacheKey, load: SingleAssignmentDisposable)? {
        guard isIdle, !isPaused, running.count < loadsAtOnce, let first = waiting.popFirst() else {
            isBeginning = false
            return nil
        }
        var request = first.request
        let load = SingleAssignmentDisposable()
        running[first.key] = load
        request.priority = .low
        return (request, first.key, load)
    }

    /// A load has ended.
    mutating func end(_ key: CacheKey, _ load: SingleAssignmentDisposable) -> SingleAssignmentDisposable? {
        guard running[key] === load else { return nil }
        done.insert(key)
        return running.removeValue(forKey: key)
    }
}

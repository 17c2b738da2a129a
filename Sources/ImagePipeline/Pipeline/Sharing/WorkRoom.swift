/// The memory of the loads that have begun: it decides whether another one may begin, and whether a large one may go on.
///
/// Loads take turns every few milliseconds, so all that came would soon be half done, each with a decoder of its own. Instead small ones begin
/// as long as those that have begun hold less than the limit. One that turns out to be large goes on when the other large ones hold less than
/// that; until then it has read a few kilobytes, and small ones pass it. Nothing is counted of less urgent ones, which do not keep what is
/// urgent waiting, nor of those that have had nothing to do for a while: their bytes may come slowly, or never.
struct WorkRoom: Sendable {
    /// The bytes beyond which a load is large.
    static var large: Int { 4 << 20 }
    /// The bytes that each is taken to hold at least: its part of its body, tables, what comes of it.
    static var least: Int { 256 << 10 }

    private struct Load: Sendable {
        var level: LoadPriority.Level
        /// Nil as long as it is not known.
        var bytes: Int?
        var goesOn = true
        /// The number of looks for which it has had nothing to do.
        var idleLooks = 0

        var isLarge: Bool { bytes.map { $0 > WorkRoom.large } ?? false }
        /// The bytes that it counts among the small ones.
        var smallBytes: Int { isLarge ? WorkRoom.least : max(WorkRoom.least, bytes ?? WorkRoom.large) }
        /// The bytes that it counts among the large ones.
        var largeBytes: Int { goesOn && isLarge ? bytes ?? 0 : 0 }
    }

    /// The loads of each kind that go on whatever they hold.
    let width: Int
    let limit: Int
    private var loads: [Int: Load] = [:]

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    /// Lets a load begin, if there is room for it.
    mutating func begin(_ id: Int, _ level: LoadPriority.Level) -> Bool {
        guard hasRoom(for: level, \.smallBytes) else { return false }
        loads[id] = Load(level: level)
        return true
    }

    /// A load says how much it holds.
    ///
    /// - Returns: whether it may go on; if not, it asks ``resume(_:)`` later.
    mutating func hold(_ bytes: Int, by id: Int) -> Bool {
        guard let old = loads[id] else { return true }
        loads[id]?.bytes = min(bytes, limit)
        guard loads[id]?.isLarge == true, !old.isLarge else { return true }
        loads[id]?.goesOn = false
        return resume(id)
    }

    /// Lets a large load go on, if there is room for it.
    mutating func resume(_ id: Int) -> Bool {
        guard let load = loads[id] else { return true }
        if hasRoom(for: load.level, \.largeBytes) { loads[id]?.goesOn = true }
        return loads[id]?.goesOn ?? true
    }

    private func hasRoom(for level: LoadPriority.Level, _ bytes: (Load) -> Int) -> Bool {
        let rivals = loads.values.lazy.filter { $0.level >= level && $0.idleLooks < 2 }.map(bytes).filter { $0 > 0 }
        return rivals.count < width || rivals.reduce(0, +) < limit
    }

    mutating func setLevel(_ level: LoadPriority.Level, of id: Int) {
        loads[id]?.level = level
    }

    /// Takes a look at which have nothing to do: that is done from time to time while others wait.
    mutating func look(_ isIdle: (Int) -> Bool) {
        for id in loads.keys { loads[id]?.idleLooks += isIdle(id) ? 1 : 0 }
    }

    /// A load has something to do.
    mutating func wake(_ id: Int) {
        if let looks = loads[id]?.idleLooks, looks > 0 { loads[id]?.idleLooks = 0 }
    }

    mutating func leave(_ id: Int) {
        loads[id] = nil
    }
}

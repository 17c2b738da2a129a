/// The memory of the loads that have begun: it decides whether another one may begin.
///
/// Loads take turns every few milliseconds, so all that came would soon be half done, each with a decoder of its own. Instead a few are
/// begun, and more only while those hold little. Of less urgent ones nothing is counted: they do not keep what is urgent waiting.
struct WorkRoom: Sendable {
    /// The bytes that a load is taken to hold until it says how many it does.
    static var unknown: Int { 16 << 20 }
    /// The bytes that each is taken to hold at least: those of its body, and what comes of it.
    static var least: Int { 256 << 10 }

    /// The loads that may begin in any case.
    let width: Int
    /// The bytes beyond which no further one begins.
    let limit: Int
    private var begun: [Int: (level: LoadPriority.Level, bytes: Int)] = [:]

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    /// Lets a load begin, if there is room for it.
    mutating func admit(_ load: Int, _ level: LoadPriority.Level) -> Bool {
        let rivals = begun.values.filter { $0.level >= level }
        guard rivals.count < width || rivals.reduce(0, { $0 + $1.bytes }) < limit else { return false }
        begun[load] = (level, Self.unknown)
        return true
    }

    mutating func hold(_ bytes: Int, by load: Int) {
        begun[load]?.bytes = max(Self.least, min(bytes, limit))
    }

    mutating func setLevel(_ level: LoadPriority.Level, of load: Int) {
        begun[load]?.level = level
    }

    mutating func leave(_ load: Int) {
        begun[load] = nil
    }
}

/// A deadline that may be moved, and when the timer that waits for it is due: when that is too early the timer is set
/// anew, so none is made for each move.
@usableFromInline
struct Deadline<Time: Comparable & Sendable>: Sendable {
    @usableFromInline var time: Time?
    /// When the earliest timer that is under way is due.
    @usableFromInline var armed: Time?

    /// What a timer that is due finds.
    @usableFromInline
    enum Finding {
        case due, nothing
        case early(Time)
    }

    @inlinable
    init() {}

    /// - Returns: Whether a timer is to be set for it.
    @inlinable
    mutating func set(_ time: Time) -> Bool {
        self.time = time
        if let armed, armed <= time { return false }
        armed = time
        return true
    }

    /// The timer that was set for `timer` is due. A deadline that has come is taken away.
    @inlinable
    mutating func check(_ timer: Time, now: Time) -> Finding {
        if armed == timer { armed = nil }
        guard let time else { return .nothing }
        guard time <= now else { return set(time) ? .early(time) : .nothing }
        self.time = nil
        return .due
    }
}

/// A deadline that may be moved, and the one timer that waits for it: when that is too early the timer is set anew, so
/// none is made for each move. Its owner's lock guards it; timers are started and cancelled outside of that, and moments are
/// compared outside of it too: how is the scheduler's business. Whoever has compared what they found says so with the
/// version in which they found it, and tries again where that is over.
@usableFromInline
struct Deadline<Time: Comparable & Sendable>: Sendable {
    @usableFromInline var time: Time?
    /// When the timer that is under way is due.
    @usableFromInline var armed: Time?
    /// Tells the present timer from those before.
    @usableFromInline var number = 0
    @usableFromInline var timer: (any Cancellable)?
    @usableFromInline var isOver = false
    /// Counts what has been changed.
    @usableFromInline var version = 0

    /// A timer to be started.
    @usableFromInline
    struct Arming: Sendable {
        @usableFromInline let time: Time
        @usableFromInline let number: Int
        /// The one before, to be cancelled.
        @usableFromInline let superseded: (any Cancellable)?

        @inlinable
        init(time: Time, number: Int, superseded: (any Cancellable)?) {
            self.time = time
            self.number = number
            self.superseded = superseded
        }
    }

    /// What a timer that is due finds.
    @usableFromInline
    enum Finding: Sendable {
        case due, nothing, early
    }

    @inlinable
    init() {}

    /// The consequence of setting a deadline.
    @usableFromInline
    enum Setting: Sendable {
        /// No timer is under way: one is to be started.
        case first
        /// One is under way for this moment: should that be later, `hasten(ifStill:)` is due.
        case armed(Time, version: Int)
        /// There are no more deadlines, or this one is not wanted.
        case ignored
    }

    @inlinable
    mutating func set(_ time: Time) -> Setting {
        if isOver { return .ignored }
        version += 1
        self.time = time
        if let armed { return .armed(armed, version: version) }
        armed = time
        return .first
    }

    /// The deadline that was set in that version comes before the moment for which the timer is under way.
    ///
    /// - Returns: Whether a timer is to be started for it. Whoever has changed it since answers for what it is by now.
    @inlinable
    mutating func hasten(ifStill version: Int) -> Bool {
        guard version == self.version, let time else { return false }
        armed = time
        return true
    }

    /// - Returns: The timer to be started for the moment that was set.
    @inlinable
    mutating func arm() -> Arming? {
        guard let armed else { return nil }
        number += 1
        return Arming(time: armed, number: number, superseded: timer.take())
    }

    /// Keeps a timer that has been started.
    ///
    /// - Returns: It, to be cancelled, if it has rung by now or is not wanted any more.
    @inlinable
    mutating func keep(_ started: any Cancellable, _ number: Int) -> (any Cancellable)? {
        guard number == self.number else { return started }
        timer = started
        return nil
    }

    /// A timer is due. A deadline that has come is taken away.
    ///
    /// - Parameter isDue: Whether the deadline has come.
    /// - Returns: What it finds, and the timer, to be cancelled.
    @inlinable
    mutating func check(_ number: Int, isDue: Bool) -> (Finding, (any Cancellable)?) {
        guard number == self.number else { return (.nothing, nil) }
        version += 1
        let done = timer.take()
        armed = nil
        self.number += 1
        guard let time else { return (.nothing, done) }
        guard isDue else {
            armed = time
            return (.early, done)
        }
        self.time = nil
        return (.due, done)
    }

    /// There will be no more.
    ///
    /// - Returns: The timer, to be cancelled.
    @inlinable
    mutating func end() -> (any Cancellable)? {
        isOver = true
        version += 1
        time = nil
        armed = nil
        number += 1
        return timer.take()
    }
}

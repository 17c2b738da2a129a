/// A deadline that may be moved, and the one timer that waits for it: when that is too early the timer is set anew, so
/// none is made for each move. Its owner's lock guards it; timers are started and cancelled outside of that.
@usableFromInline
struct Deadline<Time: Comparable & Sendable>: Sendable {
    @usableFromInline var time: Time?
    /// When the timer that is under way is due.
    @usableFromInline var armed: Time?
    /// Tells the present timer from those before.
    @usableFromInline var number = 0
    @usableFromInline var timer: (any Cancellable)?
    @usableFromInline var isOver = false

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

    /// - Returns: Whether a timer is to be started for it.
    @inlinable
    mutating func set(_ time: Time) -> Bool {
        if isOver { return false }
        self.time = time
        if let armed, armed <= time { return false }
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
    /// - Returns: What it finds, and the timer, to be cancelled.
    @inlinable
    mutating func check(_ number: Int, now: Time) -> (Finding, (any Cancellable)?) {
        guard number == self.number else { return (.nothing, nil) }
        let done = timer.take()
        armed = nil
        self.number += 1
        guard let time else { return (.nothing, done) }
        guard time <= now else { return (set(time) ? .early : .nothing, done) }
        self.time = nil
        return (.due, done)
    }

    /// There will be no more.
    ///
    /// - Returns: The timer, to be cancelled.
    @inlinable
    mutating func end() -> (any Cancellable)? {
        isOver = true
        time = nil
        armed = nil
        number += 1
        return timer.take()
    }
}

import Synchronization

/// A wall clock that stands still until it is told to go on: midnight comes when the program says so.
final class Clock: Sendable {
    private let time: Mutex<Duration>

    private let start: (wall: Duration, steady: ContinuousClock.Instant)

    init(at time: Duration) {
        start = (time, .now)
        self.time = Mutex(time)
    }

    /// The time of a clock that is never set, for caches in memory.
    var steady: ContinuousClock.Instant { start.steady.advanced(by: now - start.wall) }

    var now: Duration { time.withLock { $0 } }
    var today: CalendarDate { CalendarDate(at: now) }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

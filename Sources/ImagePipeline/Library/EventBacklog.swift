import Synchronization

/// Events in folders that have not been handled yet. They are handed on at once, but for two limits: handling is followed by a
/// pause of four times its length, of two seconds at most, and a file that is being written to is looked at twice a second.
///
/// Used, and handed on, on the queue that the clock's timers run on.
final class EventBacklog: Sendable {
    /// The longest time for which a file that is being written to is not looked at.
    private static let growth = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(2)

    private let clock: StoreClock
    private let handle: @Sendable (FolderEvents) -> Void
    private let state = Mutex(State())

    private struct State {
        /// The events to hand on as soon as the limit allows.
        var events = FolderEvents()
        /// The places that files had come to when events were last handed on, until the system tells of later ones.
        var seen: Set<FolderScan.Place> = []
        /// The files that are being written to, and when they are looked at.
        var growing: Set<FolderScan.Place> = []
        var growthDue = Duration.zero
        /// When everything is looked at, though nothing is known to have happened.
        var lookDue: Duration?
        /// No handling begins earlier.
        var pause = Duration.zero
        /// The time of the next timer; nil for none.
        var timer: Duration?
        var isHandling = false
        var isCancelled = false

        /// The events that are due, once.
        mutating func take(at now: Duration) -> FolderEvents? {
            guard !isCancelled, !isHandling, now >= pause else { return nil }
            if let lookDue, lookDue <= now { events.isEverything = true }
            if events.isEverything {
                growing = []
                lookDue = nil
            } else {
                growing.subtract(events.places)
                if growthDue <= now {
                    events.places.formUnion(growing)
                    growing = []
                }
            }
            guard !events.isEmpty else { return nil }
            isHandling = true
            seen.formUnion(events.arrived)
            defer { events = FolderEvents() }
            return events
        }

        /// When something is due next; nil for never.
        var due: Duration? {
            let due = [events.isEmpty ? nil : .zero, growing.isEmpty ? nil : growthDue, lookDue].compactMap { $0 }.min()
            return isCancelled || isHandling ? nil : due.map { max($0, pause) }
        }
    }

    init(clock: StoreClock, handler: @escaping @Sendable (FolderEvents) -> Void) {
        self.clock = clock
        handle = handler
    }

    func add(_ events: FolderEvents) {
        let now = clock.elapsed()
        state.withLock { state in
            if state.growing.isEmpty { state.growthDue = now + Self.growth }
            state.growing.formUnion(events.growing)
            state.events.append(events, seen: state.seen)
            if !events.places.isEmpty { state.seen = [] }
        }
        handOn()
    }

    /// Has everything looked at after a time; nil for not at all, unless something happens.
    func look(after delay: Duration?) {
        let due = delay.map { clock.elapsed() + $0 }
        state.withLock { $0.lookDue = due }
        setTimer()
    }

    /// Hands nothing on from now on.
    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    private func handOn() {
        let begun = clock.elapsed()
        if let events = state.withLock({ $0.take(at: begun) }) {
            handle(events)
            let ended = clock.elapsed()
            state.withLock {
                $0.isHandling = false
                $0.pause = ended + min((ended - begun) * 4, Self.longestPause)
            }
        }
        setTimer()
    }

    private func setTimer() {
        let now = clock.elapsed()
        let due = state.withLock { state -> Duration? in
            guard let due = state.due, state.timer.map({ due < $0 }) ?? true else { return nil }
            state.timer = due
            return due
        }
        guard let due else { return }
        // A timer that an earlier one has made needless finds nothing to do.
        _ = clock.after(max(.zero, due - now)) { [weak self] in
            self?.state.withLock { if $0.timer == due { $0.timer = nil } }
            self?.handOn()
        }
    }
}

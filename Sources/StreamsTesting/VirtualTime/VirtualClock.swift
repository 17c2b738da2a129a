import Streams
import Synchronization

/// A clock on virtual time, for `async` code that sleeps.
///
///     let time = VirtualTimeScheduler()
///     let clock = VirtualClock(time)
///     let retry = Task { try await loadWithRetries(clock: clock) }
///     await clock.waitUntilSleeping()
///     time.advance(by: .seconds(5))
///
/// Any thread may use it. A task that is cancelled while it sleeps wakes at once.
public final class VirtualClock: Clock {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// The moment in the scheduler's own terms.
        public let time: VirtualTime

        /// Creates a moment.
        ///
        /// - Parameter time: The moment in the scheduler's own terms.
        public init(_ time: VirtualTime) {
            self.time = time
        }

        public func advanced(by duration: Duration) -> Instant {
            Instant(time.advanced(by: .nanoseconds(duration.wholeNanoseconds)))
        }

        /// Returns the time from this moment to another one; it is negative if that comes first.
        ///
        /// - Parameter other: The other moment.
        public func duration(to other: Instant) -> Duration {
            .nanoseconds(time.distance(to: other.time).magnitude)
        }

        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.time < rhs.time }
    }

    private struct Sleeper: Sendable {
        let continuation: CheckedContinuation<Void, any Error>
        let alarm: any Cancellable
    }

    private struct State: Sendable {
        var sleepers: [Int: Sleeper] = [:]
        /// Those that were cancelled before they slept.
        var cancelled: Set<Int> = []
        var count = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let scheduler: VirtualTimeScheduler
    private let state = Mutex(State())

    /// Creates a clock that goes with a scheduler's.
    ///
    /// - Parameter scheduler: The scheduler whose time it is.
    public init(_ scheduler: VirtualTimeScheduler) {
        self.scheduler = scheduler
    }

    /// The current moment of the scheduler's time.
    public var now: Instant { Instant(scheduler.now) }

    /// A nanosecond, the shortest time that the clock tells apart.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the scheduler has been moved to a moment; returns at once if it has. Throws `CancellationError`
    /// when the task is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: The moment to wake at.
    ///   - tolerance: The time by which the task may wake later; it has no effect.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        defer { _ = state.withLock { $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleep($0, number, until: deadline.time) }
        } onCancel: {
            wake(number, isCancelled: true)
        }
    }

    /// Waits until a number of tasks sleep on the clock: then it is time to move it.
    ///
    /// - Parameter count: The number of tasks.
    public func waitUntilSleeping(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(
        _ continuation: CheckedContinuation<Void, any Error>, _ number: Int, until time: VirtualTime
    ) {
        // A repeating piece of work is one that can be called back; it is, when it first runs.
        let alarm = scheduler.schedule(
            after: time, interval: .seconds(1), tolerance: .nanoseconds(0), options: nil
        ) { [weak self] in self?.wake(number, isCancelled: false) }
        let awakened = state.withLock { state in
            if state.cancelled.remove(number) != nil { return nil as [CheckedContinuation<Void, Never>]? }
            state.sleepers[number] = Sleeper(continuation: continuation, alarm: alarm)
            let ready = state.waiting.filter { $0.count <= state.sleepers.count }
            state.waiting.removeAll { $0.count <= state.sleepers.count }
            return ready.map(\.continuation)
        }
        guard let awakened else {
            alarm.cancel()
            return continuation.resume(throwing: CancellationError())
        }
        for waiting in awakened { waiting.resume() }
        // The clock may have been moved meanwhile.
        if scheduler.now >= time { wake(number, isCancelled: false) }
    }

    private func wake(_ number: Int, isCancelled: Bool) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: number)
            if sleeper == nil, isCancelled { state.cancelled.insert(number) }
            return sleeper
        }
        guard let sleeper else { return }
        sleeper.alarm.cancel()
        if isCancelled {
            sleeper.continuation.resume(throwing: CancellationError())
        } else {
            sleeper.continuation.resume()
        }
    }
}

extension Duration {
    /// The number of nanoseconds, rounded down, within the range of `Int`.
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLongToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        if isTooLong || isTooLongToo { return seconds < 0 ? .min : .max }
        return Int(sum)
    }
}

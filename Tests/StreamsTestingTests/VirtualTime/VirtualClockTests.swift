import Dispatch
import Glibc
import Streams
import Synchronization
import Testing

@testable import StreamsTesting

@Suite("A clock on virtual time")
struct VirtualClockTests {
    private final class Woken: Sendable {
        private let state = Mutex<[Int]>([])

        var numbers: [Int] { state.withLock { $0 } }

        func append(_ number: Int) {
            state.withLock { $0.append(number) }
        }
    }

    private final class Start: Sendable {
        let hasCome = Atomic(false)
    }

    private let time = VirtualTimeScheduler()
    private let woken = Woken()

    @Test("A moment is as far away as is said, to the nanosecond, and no further than moments go")
    func moments() {
        let start = VirtualClock.Instant(.zero)
        for (duration, nanoseconds) in [
            (Duration.seconds(7), 7_000_000_000), (.milliseconds(1_999), 1_999_000_000), (.nanoseconds(1), 1),
            (.milliseconds(-1_500), -1_500_000_000), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        ] {
            #expect(start.advanced(by: duration).time.nanoseconds == nanoseconds, "\(duration)")
        }
        #expect(start.duration(to: start.advanced(by: .milliseconds(1_999))) == .milliseconds(1_999))
    }

    @Test("A task sleeps until the clock has been moved, and not a moment longer")
    func sleeps() async throws {
        let clock = VirtualClock(time)
        let task = Task { [woken] in
            try await clock.sleep(for: .seconds(5))
            woken.append(1)
        }
        await clock.waitUntilSleeping()
        time.advance(by: .milliseconds(4_999))
        #expect(woken.numbers.isEmpty && time.scheduledCount == 1)
        time.advance(by: .milliseconds(1))
        try await task.value
        #expect(woken.numbers == [1])
        #expect(clock.now == VirtualClock.Instant(.milliseconds(5_000)))
        #expect(time.scheduledCount == 0)
    }

    @Test("A deadline that is over is no sleep")
    func past() async throws {
        let clock = VirtualClock(time)
        time.advance(by: .seconds(1))
        try await clock.sleep(until: VirtualClock.Instant(.milliseconds(500)))
    }

    @Test("A task that is cancelled wakes at once, before or while it sleeps", arguments: [false, true])
    func cancelled(whileSleeping: Bool) async {
        let clock = VirtualClock(time)
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        if whileSleeping { await clock.waitUntilSleeping() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.scheduledCount == 0)
    }

    @Test("Many sleep and wake in the order of their deadlines")
    func many() async throws {
        let clock = VirtualClock(time)
        let tasks = (1...100).map { number in
            Task { [woken] in
                try await clock.sleep(for: .milliseconds(number))
                woken.append(number)
            }
        }
        await clock.waitUntilSleeping(100)
        for (index, task) in tasks.enumerated() {
            time.advance(by: .milliseconds(1))
            try await task.value
            #expect(woken.numbers.count == index + 1)
        }
        #expect(woken.numbers == Array(1...100))
    }

    /// Has a task go to sleep until a moment, and something happen on another thread so much later.
    private func goesToSleep(
        _ clock: VirtualClock, until deadline: VirtualClock.Instant, pause: Int,
        _ happens: @escaping @Sendable (Task<Void, any Error>) -> Void
    ) async throws {
        let (isThere, goes) = (Start(), Start())
        // Either waits for the other: what happens would come too late most often if only one did.
        let task = Task {
            isThere.hasCome.store(true, ordering: .releasing)
            while !goes.hasCome.load(ordering: .acquiring) { sched_yield() }
            try await clock.sleep(until: deadline)
        }
        // A queue of its own: the global ones share their few threads with all tasks.
        DispatchQueue(label: "meanwhile").async {
            while !isThere.hasCome.load(ordering: .acquiring) { sched_yield() }
            goes.hasCome.store(true, ordering: .releasing)
            pass(pause)
            happens(task)
        }
        try await task.value
    }

    @Test("A task that is cancelled while it goes to sleep wakes, at whichever moment that comes")
    func cancelledGoingToSleep() async {
        let clock = VirtualClock(time)
        for number in 0..<100 {
            await #expect(throws: CancellationError.self) {
                let deadline = clock.now.advanced(by: .seconds(5))
                try await goesToSleep(clock, until: deadline, pause: number * 10) { $0.cancel() }
            }
        }
        #expect(time.scheduledCount == 0)
    }

    @Test("A task whose moment comes while it goes to sleep wakes, and was not cancelled")
    func movedGoingToSleep() async throws {
        for number in 0..<100 {
            let time = VirtualTimeScheduler()
            let clock = VirtualClock(time)
            let deadline = clock.now.advanced(by: .seconds(5))
            try await goesToSleep(clock, until: deadline, pause: number * 10) { _ in time.advance(by: .seconds(10)) }
        }
    }
}

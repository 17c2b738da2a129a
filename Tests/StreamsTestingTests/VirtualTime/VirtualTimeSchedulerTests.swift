import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Virtual time")
struct VirtualTimeSchedulerTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func write(_ line: String) {
            lines.withLock { $0.append(line) }
        }
    }

    @Test("Work runs at its moment, in the order of the moments")
    func order() {
        let scheduler = VirtualTimeScheduler()
        let log = Log()
        for delay in [30, 10, 20] {
            scheduler.schedule(after: .zero.advanced(by: .milliseconds(delay))) { log.write("\(scheduler.now)") }
        }
        scheduler.advance(by: .milliseconds(20))
        #expect(log.all == ["10 ms", "20 ms"])
        scheduler.advance(by: .milliseconds(10))
        #expect(log.all == ["10 ms", "20 ms", "30 ms"])
        #expect(scheduler.now == VirtualTime(nanoseconds: 30_000_000))
    }

    @Test("At equal times what was scheduled first runs first")
    func equalTimes() {
        let scheduler = VirtualTimeScheduler()
        let log = Log()
        for number in 1...100 { scheduler.schedule { log.write("\(number)") } }
        scheduler.advance(by: .nanoseconds(0))
        #expect(log.all == (1...100).map(String.init))
    }

    @Test("A seed permutes what is due at the same time, always in the same way")
    func permutation() {
        func run(seed: UInt64) -> [String] {
            let scheduler = VirtualTimeScheduler(permutingEqualTimesBy: seed)
            let log = Log()
            for number in 1...20 { scheduler.schedule { log.write("\(number)") } }
            scheduler.run()
            return log.all
        }
        #expect(run(seed: 1) == run(seed: 1))
        #expect(run(seed: 1) != run(seed: 2))
        #expect(Set(run(seed: 1)).count == 20)
    }

    @Test("What work schedules while the clock moves runs at its own moment")
    func nested() {
        let scheduler = VirtualTimeScheduler()
        let log = Log()
        scheduler.schedule(after: .zero.advanced(by: .milliseconds(1))) {
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) { log.write("\(scheduler.now)") }
        }
        scheduler.advance(by: .milliseconds(5))
        #expect(log.all == ["2 ms"])
    }

    @Test("Repeating work does not drift and stops when it is cancelled, from inside too")
    func repeating() {
        let scheduler = VirtualTimeScheduler()
        let log = Log()
        let timer = SerialDisposable()
        timer.set(
            scheduler.schedule(after: .zero, interval: .milliseconds(10)) {
                log.write("\(scheduler.now)")
                if log.all.count == 3 { timer.cancel() }
            })
        scheduler.advance(by: .seconds(1))
        #expect(log.all == ["0 ms", "10 ms", "20 ms"])
        #expect(scheduler.scheduledCount == 0)
    }

    @Test("Running stops at its limit where work never ends")
    func limit() {
        let scheduler = VirtualTimeScheduler()
        let runs = Atomic(0)
        let timer = scheduler.schedule(after: .zero, interval: .milliseconds(1)) { runs.add(1, ordering: .relaxed) }
        #expect(!scheduler.run(limit: 1_000))
        #expect(runs.load(ordering: .relaxed) == 1_000)
        timer.cancel()
        #expect(scheduler.run())
        for _ in 0..<3 { scheduler.schedule {} }
        #expect(scheduler.run(limit: 3))
        for _ in 0..<4 { scheduler.schedule {} }
        #expect(!scheduler.run(limit: 3))
    }

    @Test("The scheduler is running inside its work, and neither before nor afterwards")
    func running() {
        let scheduler = VirtualTimeScheduler()
        let seen = Mutex<[Bool]>([])
        for _ in 0..<2 {
            #expect(!scheduler.isRunning)
            scheduler.schedule { seen.withLock { $0.append(scheduler.isRunning) } }
            scheduler.run()
            #expect(!scheduler.isRunning)
        }
        #expect(seen.withLock { $0 } == [true, true])
    }
}

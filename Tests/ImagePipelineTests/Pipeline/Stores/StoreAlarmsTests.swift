import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Alarms of a store's clock")
struct StoreAlarmsTests {
    @Test("Alarms that are not cancelled go off at their times, in their order, and one timer is set for all of them")
    func property() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<300 {
            let time = VirtualTimeScheduler()
            let clock = StoreClock(time)
            let rung = Mutex<[Int]>([])
            var expected: [(due: Int, id: Int)] = []
            var pending: [Int: (due: Int, alarm: any Cancellable)] = [:]
            var now = 0
            for id in 0..<40 {
                let delay = Int.random(in: -2...30, using: &generator)
                let alarm = clock.after(.milliseconds(delay)) { rung.withLock { $0.append(id) } }
                pending[id] = (now + max(delay, 0), alarm)
                if Bool.random(using: &generator),
                    let cancelled = pending.keys.sorted().randomElement(using: &generator)
                {
                    pending.removeValue(forKey: cancelled)?.alarm.cancel()
                }
                #expect(time.scheduledCount <= 1, "seed \(seed)")
                guard Bool.random(using: &generator) else { continue }
                let step = Int.random(in: 1...20, using: &generator)
                now += step
                time.advance(by: .milliseconds(step))
                expected += pending.filter { $0.value.due <= now }.map { ($0.value.due, $0.key) }.sorted { $0 < $1 }
                pending = pending.filter { $0.value.due > now }
            }
            _ = time.run()
            expected += pending.map { ($0.value.due, $0.key) }.sorted { $0 < $1 }
            #expect(rung.withLock { $0 } == expected.map(\.id), "seed \(seed)")
        }
    }

    @Test("A time between two nanoseconds is reached, once")
    func fraction() {
        let time = VirtualTimeScheduler()
        let clock = StoreClock(time)
        let count = Mutex(0)
        _ = clock.after(Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000)) {
            count.withLock { $0 += 1 }
        }
        #expect(time.run(limit: 10))
        #expect(count.withLock { $0 } == 1)
    }

    @Test("An alarm may set and cancel others, and what it holds is released once it has rung or is cancelled")
    func inside() {
        let time = VirtualTimeScheduler()
        let clock = StoreClock(time)
        let rung = Mutex<[String]>([])
        let later = clock.after(.seconds(2)) { rung.withLock { $0.append("later") } }
        let token = Token()
        let watch = Watch(token)
        _ = clock.after(.seconds(1)) { [token] in
            withExtendedLifetime(token) {}
            rung.withLock { $0.append("first") }
            later.cancel()
            _ = clock.after(.zero) { rung.withLock { $0.append("at once") } }
        }
        withExtendedLifetime(consume token) {}
        #expect(watch.isAlive)
        #expect(time.run())
        #expect(rung.withLock { $0 } == ["first", "at once"])
        #expect(!watch.isAlive)
        clock.after(.seconds(1)) { [other = Token()] in withExtendedLifetime(other) {} }.cancel()
    }

    private final class Token: Sendable {}

    private struct Watch {
        weak var token: Token?
        init(_ token: Token) { self.token = token }
        var isAlive: Bool { token != nil }
    }
}

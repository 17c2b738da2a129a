import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("Timer")
struct TimerTests {
    @Test("An interval that is not more than zero counts as a millisecond", arguments: [-1, 0])
    func negativeInterval(_ seconds: Int) async throws {
        let queue = DispatchQueue(label: "timer")
        #expect(Publishers.Timer(every: .seconds(seconds), on: queue).interval == .milliseconds(1))
        let ticks = Publishers.Timer(every: .seconds(seconds), on: queue).prefix(3)
        #expect(try await ticks.collected.count == 3)

        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<Int, Never>(clock: scheduler)
        Publishers.interval(.seconds(seconds), on: scheduler).subscribe(subscriber)
        scheduler.advance(by: .milliseconds(3))
        #expect(subscriber.values == [0, 1, 2])
        subscriber.cancel()
    }

    @Test("Dispatch repeats work at a negative interval, instead of trapping")
    func negativeRepetition() async {
        let queue = DispatchQueue(label: "timer")
        let (turns, signal) = AsyncStream.makeStream(of: Void.self)
        let timer = queue.schedule(after: queue.now, interval: .seconds(-1), tolerance: .seconds(-1), options: nil) {
            signal.yield()
        }
        var count = 0
        for await _ in turns {
            count += 1
            if count == 3 { break }
        }
        timer.cancel()
    }

    @Test("timer(after:) of a negative time delivers once")
    func negativeDelay() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<VirtualTime, Never>(clock: scheduler)
        Publishers.timer(after: .seconds(-1), on: scheduler).subscribe(subscriber)
        scheduler.run()
        #expect(subscriber.values.count == 1)
        #expect(subscriber.isFinished)
    }
}

import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("A scheduler without its type")
struct AnySchedulerTests {
    /// A model as a program has it: no type parameter, and a default for the program.
    private final class Search: Sendable {
        let results: AnyPublisher<String, TestFailure>

        init(_ texts: some Publisher<String, TestFailure>, scheduler: AnyScheduler = .main) {
            results = texts.debounce(for: .milliseconds(300), scheduler: scheduler).eraseToAnyPublisher()
        }
    }

    @Test("A model runs on virtual time in its test")
    func virtualTime() throws {
        let time = VirtualTimeScheduler()
        time.advance(by: .seconds(7))
        let texts = TestPublisher<String>(.cold, "a-b 400ms c 500ms |", on: time)
        let recorder = RecordingSubscriber<String, TestFailure>(clock: time)
        Search(texts, scheduler: time.eraseToAnyScheduler()).results.subscribe(recorder)
        time.advance(by: .seconds(2))
        try recorder.expect(" 7302ms b 400ms c 200ms |")
    }

    @Test("Its clock begins at zero and goes with the one beneath")
    func now() {
        let time = VirtualTimeScheduler()
        time.advance(by: .seconds(7))
        let scheduler = time.eraseToAnyScheduler()
        #expect(scheduler.now.nanoseconds == 0)
        time.advance(by: .milliseconds(5))
        #expect(scheduler.now == scheduler.now.advanced(by: .milliseconds(0)))
        #expect(scheduler.now.nanoseconds == 5_000_000)
    }

    @Test("Repeating work repeats until it is cancelled")
    func repeating() {
        let time = VirtualTimeScheduler()
        let scheduler = time.eraseToAnyScheduler()
        let count = Mutex(0)
        let work = scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(2)), interval: .milliseconds(3)) {
            count.withLock { $0 += 1 }
        }
        time.advance(by: .milliseconds(8))
        #expect(count.withLock { $0 } == 3)
        work.cancel()
        time.advance(by: .milliseconds(100))
        #expect(count.withLock { $0 } == 3)
    }

    @Test("Work runs on the queue beneath")
    func queue() {
        let queue = DispatchQueue(label: "beneath")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let recorder = RecordingSubscriber<Bool, Never>()
        [1].publisher.receive(on: queue.eraseToAnyScheduler()).map { _ in DispatchQueue.getSpecific(key: key) == true }
            .subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.values == [true])
    }
}

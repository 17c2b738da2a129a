import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("State that is not Sendable")
struct SerialStateTests {
    private final class Counter {
        private(set) var count = 0
        private let onDeinit: @Sendable () -> Void

        init(onDeinit: @escaping @Sendable () -> Void = {}) { self.onDeinit = onDeinit }
        deinit { onDeinit() }

        func count(_ value: Int) -> Int {
            count += value
            return count
        }
    }

    private struct Once: ~Copyable {
        let text: String
    }

    /// The sums so far: a user's own stage.
    private struct Summing: ValueStage {
        func makeState() -> SerialState<Counter> { SerialState(Counter()) }
        func receive(_ input: Int, _ counter: inout SerialState<Counter>) -> Stages.Step<Int, Never> {
            .next(counter.withValue { $0.count(input) })
        }
    }

    @Test("Each use finds it as the one before has left it, whatever it threw")
    func uses() {
        let state = SerialState(Counter())
        let copy = state
        #expect(state.withValue { $0.count(2) } == 2)
        #expect(copy.withValue { $0.count(3) } == 5)
        #expect(throws: TestError.expected) {
            try state.withValue { counter throws(TestError) in
                _ = counter.count(4)
                throw .expected
            }
        }
        #expect(state.withValue { $0.count } == 9)

        let unique = SerialState<Once?>(Once(text: "once"))
        let texts = (0..<2).map { _ in
            unique.withValue { once in
                guard let taken = once.take() else { return "" }
                return taken.text
            }
        }
        #expect(texts == ["once", ""])
    }

    @Test("A stage keeps it, one for each subscriber")
    func stage() {
        let sums = [1, 2, 3].publisher.stage(Summing())
        for _ in 0..<2 {
            let log = RecordingSubscriber<Int, Never>()
            sums.subscribe(log)
            #expect(log.values == [1, 3, 6] && log.isFinished)
        }
    }

    @Test("What several threads send comes to it one after the other, and each sees what the others did")
    func raced() {
        for _ in 0..<raceCount {
            let subject = PassthroughSubject<Int, Never>()
            let log = RecordingSubscriber<Int, Never>()
            subject.stage(Summing()).subscribe(log)
            race((0..<3).map { _ in { for _ in 0..<10 { subject.send(1) } } })
            #expect(log.values == Array(1...30))
        }
    }

    @Test("It lets go of the value when that is replaced, and with its last copy")
    func release() {
        let released = Mutex(0)
        var state: SerialState<Counter?>? = SerialState(Counter { released.withLock { $0 += 1 } })
        state?.withValue { $0 = Counter { released.withLock { $0 += 10 } } }
        #expect(released.withLock { $0 } == 1)
        let copy = state
        state = nil
        #expect(copy?.withValue { $0?.count } == 0)
        #expect(released.withLock { $0 } == 1)
        copy?.withValue { $0 = nil }
        #expect(released.withLock { $0 } == 11)
    }

    @Test("A use after a use is none within it")
    func successive() async {
        await #expect(processExitsWith: .success) {
            let state = SerialState(Counter())
            _ = state.withValue { $0.count(1) }
            _ = state.withValue { $0.count(1) }
        }
    }

    @Test("A use within a use stops the program")
    func nested() async {
        await #expect(processExitsWith: .failure) {
            let state = SerialState(Counter())
            state.withValue { _ in
                state.withValue { _ in }
            }
        }
    }

    @Test("A use while another thread is at it stops the program, and does not wait")
    func overlapping() async {
        await #expect(processExitsWith: .failure) {
            let state = SerialState(Counter())
            let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                state.withValue { _ in
                    entered.signal()
                    left.wait()
                }
            }
            entered.wait()
            state.withValue { _ in }
            left.signal()
        }
    }
}

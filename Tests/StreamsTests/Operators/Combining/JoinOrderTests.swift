import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("What is joined is taken in the order in which it came, of whichever upstream")
struct JoinOrderTests {
    typealias Input = PassthroughSubject<Int, Never>

    @Test("combineLatest of three, four, any number, and of a collection, sent to while a value is being delivered")
    func combineLatest() {
        let joins: [@Sendable ([Input]) -> AnyPublisher<[Int], Never>] = [
            { $0[0].combineLatest($0[1], $0[2]) { [$0, $1, $2] }.eraseToAnyPublisher() },
            {
                $0[0].combineLatest($0[1], $0[2], Just(0)) { first, second, third, _ in [first, second, third] }
                    .eraseToAnyPublisher()
            },
            { $0.combinedLatest().eraseToAnyPublisher() },
            {
                Publishers.combineLatest(
                    $0[0].eraseToAnyPublisher(), $0[1].eraseToAnyPublisher(), $0[2].eraseToAnyPublisher()
                ).map { [$0, $1, $2] }.eraseToAnyPublisher()
            },
        ]
        for join in joins {
            let inputs = (0..<3).map { _ in Input() }
            let rows = Recorded<[[Int]]>([])
            let sink = join(inputs).sink { row in
                rows.update { $0.append(row) }
                guard row == [0, 0, 1] else { return }
                // As another thread would: the third is held up in here.
                inputs[1].send(1)
                inputs[0].send(1)
                inputs[0].send(2)
                inputs[1].send(2)
            }
            for input in inputs { input.send(0) }
            inputs[2].send(1)
            #expect(rows.value == [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [2, 1, 1], [2, 2, 1]])
            sink.cancel()
        }
    }

    @Test("prefix(untilOutputFrom:) delivers what came before the other's value, while another thread requests")
    func prefix() {
        let other = Input()
        let recorder = heldUp(
            { $0.prefix(untilOutputFrom: other) },
            sending: { upstream in
                upstream.send(1)
                upstream.send(2)
                other.send(0)
                upstream.send(3)
            })
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
    }

    @Test("drop(untilOutputFrom:) leaves out what came before the other's value, while another thread requests")
    func drop() {
        let other = PassthroughSubject<Int, TestFailure>()
        let recorder = heldUp(
            { $0.drop(untilOutputFrom: other) },
            sending: { upstream in
                upstream.send(1)
                other.send(0)
                upstream.send(2)
            })
        #expect(recorder.values == [2])
    }

    @Test("sample is over with the upstream's end, though the trigger comes while a sample is still being delivered")
    func sample() {
        let (upstream, trigger) = (Input(), Input())
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .none,
            onValue: { _, _ in
                upstream.send(completion: .finished)
                trigger.send(1)
            })
        upstream.sample(trigger).subscribe(subscriber)
        upstream.send(0)
        trigger.send(0)
        upstream.send(1)
        subscriber.request(.max(1))
        #expect(subscriber.values == [0])
        #expect(subscriber.completion == .finished)
    }

    @Test("withLatestFrom takes what was the latest when the value came, while another thread requests")
    func withLatestFrom() {
        let other = PassthroughSubject<Int, TestFailure>()
        let recorder = heldUp(
            { $0.withLatestFrom(other) { [$0, $1] } },
            sending: { upstream in
                other.send(10)
                upstream.send(1)
                other.send(20)
                upstream.send(2)
            })
        #expect(recorder.values == [[1, 10], [2, 20]])
    }

    @Test("retryWhen delivers what came before the failure that its trigger passes on, while another thread requests")
    func retryWhen() {
        let recorder = heldUp(
            { $0.retryWhen { $0.flatMap { Fail<Int, TestFailure>(error: $0) } } },
            sending: { upstream in
                upstream.send(1)
                upstream.send(.failure("last"))
            })
        #expect(recorder.values == [1])
        #expect(recorder.completion == .failure(TestFailure("last")))
    }

    /// What comes of an operator that is sent to by one thread while another is held up in its request.
    private func heldUp<Joined: Publisher<Value, TestFailure>, Value>(
        _ join: (AnyPublisher<Int, TestFailure>) -> Joined,
        sending send: @escaping @Sendable (TestPublisher<Int>) -> Void
    ) -> RecordingSubscriber<Value, TestFailure> {
        let isHeldUp = Atomic(false)
        let place = Recorded<TestPublisher<Int>?>(nil)
        let upstream = TestPublisher<Int>(
            .hot,
            onCallOut: {
                guard isHeldUp.exchange(false, ordering: .relaxed), let upstream = place.value else { return }
                let isSent = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    send(upstream)
                    isSent.signal()
                }
                isSent.wait()
            })
        place.update { $0 = upstream }
        let recorder = RecordingSubscriber<Value, TestFailure>(initialDemand: .max(20))
        join(upstream.eraseToAnyPublisher()).subscribe(recorder)
        isHeldUp.store(true, ordering: .relaxed)
        recorder.request(.max(1))
        place.update { $0 = nil }
        return recorder
    }

    @Test("Of a publisher that only says when, one value is requested, whatever is requested of the values")
    func asksForOneSign() {
        for isPrefix in [true, false] {
            let (values, sign) = (TestPublisher<Int>(.cold), TestPublisher<Int>(.cold))
            let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(3))
            if isPrefix {
                values.prefix(untilOutputFrom: sign).subscribe(recorder)
            } else {
                values.drop(untilOutputFrom: sign).subscribe(recorder)
            }
            recorder.request(.max(2))
            #expect(values.windows.first?.requested == .max(5))
            #expect(sign.windows.first?.requested == .max(1))
            recorder.cancel()
        }
    }
}

import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("A failure comes behind what came before it and is requested, whoever is delivering meanwhile")
struct FailureOrderTests {
    private typealias Subject = PassthroughSubject<Int, TestFailure>
    private let one = Subject()
    private let other = Subject()

    /// Subscribes, sends 1 and 2, and has the other upstream send 10 and 11 and fail inside the first delivery.
    private func values<P: Publisher>(
        of publisher: P, demand: Subscribers.Demand = .unlimited, returned: Subscribers.Demand = .none
    ) -> [P.Output] where P.Failure == TestFailure {
        let subscriber = RecordingSubscriber<P.Output, TestFailure>(
            initialDemand: demand, demandForValue: { $0 == 1 ? returned : .none },
            onValue: { [other] subscriber, _ in
                guard subscriber.values.count == 1 else { return }
                for value in [10, 11] { other.send(value) }
                other.send(completion: .failure(TestFailure()))
            })
        publisher.subscribe(subscriber)
        for value in [1, 2] { one.send(value) }
        #expect(subscriber.completion == .failure(TestFailure()))
        #expect(subscriber.violations.isEmpty)
        return subscriber.values
    }

    @Test("merge delivers what was requested, and drops what was not")
    func merge() {
        #expect(values(of: one.merge(with: other)) == [1, 10, 11])
    }

    @Test("merge delivers as much as is requested by returning demand")
    func mergeScarce() {
        #expect(values(of: one.merge(with: other), demand: .max(1), returned: .max(1)) == [1, 10])
    }

    @Test("flatMap")
    func flatMap() {
        let publishers = [one, other].publisher.setFailureType(to: TestFailure.self)
        #expect(values(of: publishers.flatMap { $0 }) == [1, 10, 11])
    }

    @Test("combineLatest")
    func combineLatest() {
        other.send(0)
        let current = other.prepend(0).eraseToAnyPublisher()
        #expect(values(of: one.combineLatest(current) { [$0, $1] }) == [[1, 0], [1, 10], [1, 11]])
    }

    @Test("zip, of the pairs that have come while somebody requests")
    func zip() {
        let first = other
        let answering = AnsweringPublisher { subscriber in
            for value in [1, 2] {
                first.send(value)
                _ = subscriber.receive(value)
            }
            subscriber.receive(completion: .failure(TestFailure()))
        }
        let subscriber = RecordingSubscriber<[Int], TestFailure>(initialDemand: .none)
        first.zip(answering) { [$0, $1] }.subscribe(subscriber)
        subscriber.request(.max(2))
        #expect(subscriber.values == [[1, 1], [2, 2]])
        #expect(subscriber.completion == .failure(TestFailure()))
    }

    @Test("What another upstream sends after the failure of one does not make a pair")
    func afterwards() {
        let subscriber = RecordingSubscriber<[Int], TestFailure>(
            onValue: { [one, other] _, _ in
                one.send(completion: .failure(TestFailure()))
                other.send(11)
            })
        one.zip(other) { [$0, $1] }.subscribe(subscriber)
        for value in [1, 2] { one.send(value) }
        other.send(10)
        #expect(subscriber.values == [[1, 10]])
        #expect(subscriber.completion == .failure(TestFailure()))
    }

    @Test("The others are cancelled before a failure is delivered, and what they send meanwhile comes too late")
    func cancelled() {
        for other in 0..<2 {
            let (first, second, third, failing) = (Subject(), Subject(), Subject(), Subject())
            let seen = Recorded<[String]>([])
            let upstreams = [first, second, third].enumerated().map { number, subject in
                subject.handleEvents(receiveCancel: {
                    seen.update { $0.append("cancelled \(number)") }
                    guard number == 0 else { return }
                    if other == 0 { second.send(9) } else { second.send(completion: .finished) }
                }).eraseToAnyPublisher()
            }
            let subscription = Publishers.MergeMany(upstreams + [failing.eraseToAnyPublisher()]).sink(
                receiveCompletion: { _ in seen.update { $0.append("failed") } },
                receiveValue: { value in seen.update { $0.append("\(value)") } })
            failing.send(completion: .failure(TestFailure()))
            #expect(seen.value.last == "failed")
            // One that has finished is not cancelled any more.
            #expect(
                seen.value.dropLast()
                    == (other == 0 ? ["cancelled 0", "cancelled 1", "cancelled 2"] : ["cancelled 0", "cancelled 2"]))
            subscription.cancel()
        }
    }

    @Test("zip that has lost a side that had finished ends, whatever fails afterwards")
    func finishedBefore() {
        let subscriber = RecordingSubscriber<[Int], TestFailure>(
            onValue: { [other] _, _ in other.send(completion: .failure(TestFailure())) })
        Just(1).setFailureType(to: TestFailure.self).zip(other) { [$0, $1] }.subscribe(subscriber)
        other.send(10)
        #expect(subscriber.values == [[1, 10]])
        #expect(subscriber.isFinished)
    }

    @Test("withLatestFrom: a value that came while somebody requests is delivered before the other's failure")
    func withLatestFrom() {
        let failing = other
        let answering = AnsweringPublisher { subscriber in
            _ = subscriber.receive(5)
            failing.send(completion: .failure(TestFailure()))
        }
        let subscriber = RecordingSubscriber<[Int], TestFailure>(initialDemand: .none)
        answering.withLatestFrom(other.prepend(7)) { [$0, $1] }.subscribe(subscriber)
        subscriber.request(.max(1))
        #expect(subscriber.values == [[5, 7]])
        #expect(subscriber.completion == .failure(TestFailure()))
    }

    @Test(
        "sample that waits for demand with the last value of a stream that is over keeps it, whatever fails afterwards")
    func sample() {
        let subscriber = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
        one.sample(other).subscribe(subscriber)
        one.send(1)
        other.send(0)
        one.send(completion: .finished)
        other.send(completion: .failure(TestFailure()))
        #expect(subscriber.completion == nil)
        subscriber.request(.max(1))
        #expect(subscriber.values == [1])
        #expect(subscriber.isFinished)
    }

    @Test("sample ends with the first of two ends that come within a delivery", arguments: [true, false])
    func sampleEndsTwice(failsFirst: Bool) {
        let subscriber = RecordingSubscriber<Int, TestFailure>(
            initialDemand: .none,
            onValue: { [one, other] _, _ in
                if failsFirst { other.send(completion: .failure(TestFailure())) }
                one.send(completion: .finished)
                if !failsFirst { other.send(completion: .failure(TestFailure())) }
            })
        one.sample(other).subscribe(subscriber)
        one.send(1)
        other.send(0)
        // Neither delivers while this one is.
        subscriber.request(.max(1))
        #expect(subscriber.values == [1])
        #expect(subscriber.completion == (failsFirst ? .failure(TestFailure()) : .finished))
    }

    @Test("sample delivers nothing that is requested while its end cancels the upstreams, once it was cancelled there")
    func sampleCancelledAtTheEnd() {
        let subscriber = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
        let trigger = other.handleEvents(receiveCancel: {
            subscriber.request(.max(1))
            subscriber.cancel()
        })
        one.sample(trigger).subscribe(subscriber)
        one.send(1)
        other.send(0)
        one.send(completion: .finished)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.completion == nil)
    }
}

/// Answers its first request on another thread, before the request returns.
private struct AnsweringPublisher: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure
    let answer: @Sendable (AnySubscriber<Int, TestFailure>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        subscriber.receive(subscription: Link(subscriber: AnySubscriber(subscriber), answer: answer))
    }

    private final class Link: Subscription {
        private let subscriber: AnySubscriber<Int, TestFailure>
        private let answer: @Sendable (AnySubscriber<Int, TestFailure>) -> Void

        init(
            subscriber: AnySubscriber<Int, TestFailure>,
            answer: @escaping @Sendable (AnySubscriber<Int, TestFailure>) -> Void
        ) {
            self.subscriber = subscriber
            self.answer = answer
        }

        func request(_ demand: Subscribers.Demand) {
            let isAnswered = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [subscriber, answer] in
                answer(subscriber)
                isAnswered.signal()
            }
            isAnswered.wait()
        }

        func cancel() {}
    }
}

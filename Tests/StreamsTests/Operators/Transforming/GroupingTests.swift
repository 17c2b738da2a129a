import Streams
import StreamsTesting
import Testing

@Suite("groupBy and window: what waits in a part of a stream")
struct GroupingTests {
    private typealias Subject = PassthroughSubject<Int, TestError>
    private typealias Group = GroupedPublisher<Int, Int, TestError>

    /// The groups of a subject by the values' tens, as they come.
    private func groups(
        of subject: Subject, buffering strategy: BackpressureStrategy<TestError> = .unbounded
    ) -> RecordingSubscriber<Group, TestError> {
        let groups = RecordingSubscriber<Group, TestError>()
        subject.groupBy(buffering: strategy) { $0 / 10 }.subscribe(groups)
        return groups
    }

    @Test("What a group's subscriber has not requested waits, and comes before the end")
    func waits() {
        let subject = Subject()
        let groups = groups(of: subject)
        for value in [1, 11, 2, 12, 3] { subject.send(value) }
        let first = RecordingSubscriber<Int, TestError>(initialDemand: .max(1))
        groups.values[0].subscribe(first)
        #expect(first.values == [1])
        subject.send(4)
        subject.send(completion: .failure(.expected))
        #expect(first.completion == nil)
        first.request(.max(2))
        #expect(first.values == [1, 2, 3])
        first.request(.max(1))
        #expect(first.values == [1, 2, 3, 4])
        #expect(first.end == .failed(.expected))
        let late = RecordingSubscriber<Int, TestError>()
        groups.values[1].subscribe(late)
        #expect(late.values == [11, 12])
        #expect(late.end == .failed(.expected))
        #expect(first.violations.isEmpty && late.violations.isEmpty)
    }

    @Test("One group after the other: those that wait their turn lose nothing")
    func concatenated() {
        let subscriber = RecordingSubscriber<Int, Never>()
        (0..<1_000).publisher.groupBy { $0 % 3 }.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(subscriber)
        #expect(subscriber.values == (0..<3).flatMap { Array(stride(from: $0, to: 1_000, by: 3)) })
        #expect(subscriber.isFinished)
    }

    @Test("The strategy bounds what waits in a group: the newest are kept, or it fails")
    func bounded() {
        let cases: [(strategy: BackpressureStrategy<TestError>, kept: [Int])] = [
            (.unbounded, [1, 2, 3, 4]), (.buffer(2), [3, 4]), (.latest, [4]), (.dropNewest, []),
        ]
        for (strategy, kept) in cases {
            let subject = Subject()
            let groups = groups(of: subject, buffering: strategy)
            for value in 1...4 { subject.send(value) }
            let subscriber = RecordingSubscriber<Int, TestError>()
            groups.values[0].subscribe(subscriber)
            subject.send(5)
            #expect(subscriber.values == kept + [5])
        }
        let subject = Subject()
        let groups = groups(of: subject, buffering: .fail(.overflow))
        subject.send(1)
        let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .max(1))
        groups.values[0].subscribe(subscriber)
        #expect(subscriber.values.isEmpty && subscriber.end == .failed(.overflow))
        subject.send(2)
        #expect(groups.completion == nil)
        #expect(groups.values.count == 2, "The value after the failure begins a new group")
    }

    @Test("A further subscriber of a group gets what comes after it")
    func secondSubscriber() {
        let subject = Subject()
        let groups = groups(of: subject)
        subject.send(1)
        let (first, second) = (RecordingSubscriber<Int, TestError>(), RecordingSubscriber<Int, TestError>())
        groups.values[0].subscribe(first)
        groups.values[0].subscribe(second)
        subject.send(2)
        first.cancel()
        subject.send(3)
        #expect(first.values == [1, 2])
        #expect(second.values == [2, 3])
        subject.send(completion: .finished)
        let late = RecordingSubscriber<Int, TestError>()
        groups.values[0].subscribe(late)
        #expect(second.isFinished && late.isFinished && late.values.isEmpty)
        #expect(groups.values.count == 1)
    }

    @Test("A group whose last subscriber has cancelled is over: the next value with its key begins a new one")
    func beginsAnew() {
        let subject = Subject()
        let groups = groups(of: subject)
        subject.send(1)
        let (first, second) = (RecordingSubscriber<Int, TestError>(), RecordingSubscriber<Int, TestError>())
        groups.values[0].subscribe(first)
        first.cancel()
        groups.values[0].subscribe(second)
        #expect(second.isFinished && second.values.isEmpty)
        subject.send(2)
        subject.send(3)
        #expect(groups.values.map(\.key) == [0, 0])
        let third = RecordingSubscriber<Int, TestError>()
        groups.values.last?.subscribe(third)
        #expect(third.values == [2, 3])

        let pairs = RecordingSubscriber<[Int], Never>()
        (0..<9).publisher.groupBy { $0 % 2 }.flatMap { $0.prefix(2).collect() }.subscribe(pairs)
        #expect(pairs.values == [[0, 2], [1, 3], [4, 6], [5, 7], [8]])
    }

    @Test("A group that is let go of without a subscriber keeps nothing, and its key is not begun anew")
    func abandoned() {
        let subject = PassthroughSubject<Token, Never>()
        let keys = RecordingSubscriber<Int, Never>()
        subject.groupBy(\.key).map(\.key).subscribe(keys)
        weak var token: Token?
        do {
            let kept = Token(key: 7)
            token = kept
            subject.send(kept)
            subject.send(kept)
        }
        #expect(token == nil)
        #expect(keys.values == [7])
    }

    @Test("A group that is held keeps its values, and lets go of them and of its subscriber with the stream")
    func released() {
        let subject = PassthroughSubject<Token, Never>()
        weak var token: Token?
        weak var subscriber: RecordingSubscriber<Token, Never>?
        do {
            let groups = RecordingSubscriber<GroupedPublisher<Int, Token, Never>, Never>()
            subject.groupBy(\.key).subscribe(groups)
            let (kept, recorder) = (Token(key: 7), RecordingSubscriber<Token, Never>(initialDemand: .none))
            (token, subscriber) = (kept, recorder)
            subject.send(kept)
            groups.values.first?.subscribe(recorder)
            groups.cancel()
        }
        #expect(token == nil && subscriber == nil)
    }

    @Test("A window keeps what is not requested; what comes after its cancel is dropped until the next boundary")
    func windows() {
        let (subject, boundary) = (Subject(), PassthroughSubject<Void, Never>())
        let windows = RecordingSubscriber<AnyPublisher<Int, TestError>, TestError>()
        subject.window(by: boundary, buffering: .buffer(2)).subscribe(windows)
        for value in 1...3 { subject.send(value) }
        boundary.send()
        subject.send(4)
        let subscribers = windows.values.map { window in
            let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .max(1))
            window.subscribe(subscriber)
            return subscriber
        }
        #expect(subscribers.map(\.values) == [[2], [4]])
        subscribers[0].request(.max(1))
        #expect(subscribers[0].values == [2, 3] && subscribers[0].isFinished)
        subscribers[1].cancel()
        subject.send(5)
        #expect(windows.values.count == 2)
        boundary.send()
        subject.send(6)
        subject.send(completion: .finished)
        let last = RecordingSubscriber<Int, TestError>()
        windows.values.last?.subscribe(last)
        #expect(last.values == [6] && last.isFinished)
    }

    @Test("A cancel that races with values: no value is in two groups, and a group that begins after it has the rest")
    func cancelRaced() {
        for _ in 0..<raceCount {
            let subject = PassthroughSubject<Int, Never>()
            let parts = Recorded<[RecordingSubscriber<Int, Never>]>([])
            let sink = subject.groupBy { _ in 0 }.sink { group in
                let subscriber = RecordingSubscriber<Int, Never>()
                parts.update { $0.append(subscriber) }
                group.subscribe(subscriber)
            }
            subject.send(0)
            race({ for value in 1...20 { subject.send(value) } }, { parts.value.first?.cancel() })
            subject.send(21)
            let values = parts.value.flatMap(\.values)
            #expect(values.first == 0 && values.last == 21)
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
            #expect(parts.value.allSatisfy { $0.violations.isEmpty })
            sink.cancel()
        }
    }
}

/// A value that tells when it has gone.
private final class Token: Sendable {
    let key: Int

    init(key: Int) {
        self.key = key
    }
}

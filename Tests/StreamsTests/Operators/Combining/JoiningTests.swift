import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Operators that join publishers")
struct JoiningTests {
    private typealias Subject = PassthroughSubject<Int, TestError>

    @Test("zip of sequences asks each for what was asked of it, and keeps to the demand")
    func zipDemand() {
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(2), demandForValue: { $0 == 2 ? .max(1) : .none })
        (1...).publisher.zip((10...).publisher).map { $0.0 * $0.1 }.subscribe(subscriber)
        #expect(subscriber.values == [10, 22, 36])
        subscriber.request(.max(1))
        #expect(subscriber.values.last == 52)
        subscriber.cancel()
        #expect(subscriber.violations.isEmpty)
    }

    /// Endless numbers, before each of which something happens on another thread.
    private struct Numbers: Sequence, IteratorProtocol, Sendable {
        let happens: @Sendable (_ number: Int) -> Void
        var number = 0

        mutating func next() -> Int? {
            let isOver = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [happens, number] in
                happens(number)
                isOver.signal()
            }
            isOver.wait()
            defer { number += 1 }
            return number
        }
    }

    @Test("What another thread sends to zip while a sequence is subscribed to is seen between two of its values")
    func zipDuringSubscription() {
        let subject = Subject()
        let made = Atomic(0)
        let numbers = Numbers { number in
            made.store(number, ordering: .relaxed)
            if number == 2 { subject.send(7) }
            if number == 4 { subject.send(completion: .failure(.expected)) }
        }
        let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .unlimited)
        subject.zip(Publishers.Sequence<Numbers, TestError>(sequence: numbers)) { $0 + $1 }.subscribe(subscriber)
        #expect(subscriber.values == [7])
        #expect(subscriber.completion == .failure(.expected))
        #expect(made.load(ordering: .relaxed) <= 5)
        #expect(subscriber.violations.isEmpty)
    }

    @Test(
        "What is sent inside a delivery of zip is delivered after that, and so is the end",
        arguments: [Subscribers.Demand.max(300), .unlimited])
    func zipInside(demand: Subscribers.Demand) {
        let (a, b) = (Subject(), Subject())
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: demand,
            onValue: { _, value in
                guard value == 11 else { return }
                for value in 2...300 { a.send(value) }
                for value in 2...300 { b.send(10 * value) }
                a.send(completion: .finished)
            })
        a.zip(b) { $0 + $1 }.subscribe(subscriber)
        a.send(1)
        b.send(10)
        #expect(subscriber.values == (1...300).map { 11 * $0 })
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("combineLatest without demand keeps the latest tuple only")
    func combineLatestDemand() {
        let (a, b) = (Subject(), Subject())
        let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        a.combineLatest(b) { $0 + $1 }.subscribe(subscriber)
        a.send(1)
        for value in [10, 20, 30] { b.send(value) }
        subscriber.request(.max(1))
        #expect(subscriber.values == [31])
        a.send(2)
        a.send(completion: .finished)
        b.send(completion: .finished)
        #expect(subscriber.completion == nil, "A tuple is still to come")
        subscriber.request(.max(1))
        #expect(subscriber.values == [31, 32])
        #expect(subscriber.isFinished)
    }

    @Test("Three, four, any number: zip and combineLatest of more publishers")
    func arities() {
        func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Failure == Never {
            let subscriber = RecordingSubscriber<P.Output, Never>()
            publisher.subscribe(subscriber)
            #expect(subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
            return subscriber.values
        }
        let numbers = (1...3).publisher
        #expect(values(numbers.zip(numbers, ["a", "b"].publisher) { "\($0)\($1)\($2)" }) == ["11a", "22b"])
        #expect(values(numbers.zip(numbers, numbers, numbers) { $0 + $1 + $2 + $3 }) == [4, 8, 12])
        #expect(values(numbers.combineLatest(numbers, Just("a")) { "\($0)\($1)\($2)" }) == ["33a"])
        #expect(values(numbers.combineLatest(numbers, numbers, numbers) { $0 + $1 + $2 + $3 }) == [10, 11, 12])
        #expect(
            values([numbers, numbers, numbers, numbers, numbers].zipped()) == [
                [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3],
            ])
        #expect(values([numbers, numbers].combinedLatest()) == [[3, 1], [3, 2], [3, 3]])
        #expect(values([Just<Int>]().zipped()) == [])
    }

    @Test("zip sends one failure when both fail at once (FIELD: zip sent two failures)")
    func twoFailures() {
        for _ in 0..<raceCount {
            let (a, b) = (Subject(), Subject())
            let subscriber = RecordingSubscriber<Int, TestError>()
            a.zip(b) { $0 + $1 }.subscribe(subscriber)
            race(
                { a.send(completion: .failure(.expected)) },
                { b.send(completion: .failure(.overflow)) })
            #expect(subscriber.completion != nil)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("Two threads feed zip and combineLatest: every pair comes, in order, and the last tuple is the latest")
    func raced() {
        for _ in 0..<raceCount {
            let (a, b) = (Subject(), Subject())
            let pairs = RecordingSubscriber<[Int], TestError>()
            let latest = RecordingSubscriber<[Int], TestError>()
            a.zip(b) { [$0, $1] }.subscribe(pairs)
            a.combineLatest(b) { [$0, $1] }.subscribe(latest)
            race(
                { for value in 1...20 { a.send(value) } },
                { for value in 1...20 { b.send(value) } })
            #expect(pairs.values == (1...20).map { [$0, $0] })
            #expect(latest.values.last == [20, 20])
            #expect(pairs.violations.isEmpty && latest.violations.isEmpty)
        }
    }

    @Test("The last value of a short burst isn't left lying while the other thread delivers")
    func shortBursts() {
        // In step on two threads that go on running: the moment between a mark and its owner's look is short. It takes
        // an optimised build to meet it: two in a thousand rounds lost a value there.
        let rounds = (0..<20_000).map { _ in Round() }
        let arrivals = Atomic(0)
        let burst: @Sendable (KeyPath<Round, PassthroughSubject<Int, Never>> & Sendable) -> Void = { subject in
            for (index, round) in rounds.enumerated() {
                arrivals.add(1, ordering: .acquiringAndReleasing)
                // The other thread may have no processor to run on.
                var patience = 1_000
                while arrivals.load(ordering: .acquiring) < 2 * (index + 1), patience > 0 { patience -= 1 }
                for value in 1...3 { round[keyPath: subject].send(value) }
            }
        }
        race({ burst(\.a) }, { burst(\.b) })
        #expect(rounds.count { $0.last != [3, 3] } == 0)
    }

    @Test("A cancel that races with values: nothing follows, and both upstreams are left")
    func cancelRaced() {
        for _ in 0..<raceCount {
            let (a, b) = (Subject(), Subject())
            let subscriber = RecordingSubscriber<Int, TestError>()
            a.combineLatest(b) { $0 + $1 }.subscribe(subscriber)
            a.send(0)
            race({ for value in 1...5 { b.send(value) } }, { subscriber.cancel() })
            let count = subscriber.values.count
            b.send(9)
            a.send(9)
            #expect(subscriber.values.count == count)
            #expect(!a.hasSubscribers && !b.hasSubscribers)
        }
    }

    @Test("concatMap loses nothing of a subject and goes one by one; flatMapFirst leaves out what comes meanwhile")
    func flatMapVariants() {
        func run(_ make: (Subject, [Subject]) -> any Publisher<Int, TestError>) -> [Int] {
            let outer = Subject()
            let inners = [Subject(), Subject(), Subject()]
            let subscriber = RecordingSubscriber<Int, TestError>()
            subscribe(make(outer, inners), subscriber)
            outer.send(0)
            outer.send(1)
            inners[0].send(10)
            inners[1].send(11)
            inners[0].send(completion: .finished)
            inners[1].send(12)
            outer.send(2)
            inners[2].send(13)
            inners[1].send(completion: .finished)
            inners[2].send(14)
            #expect(subscriber.violations.isEmpty)
            return subscriber.values
        }
        #expect(run { outer, inners in outer.concatMap { inners[$0] } } == [10, 12, 14])
        #expect(run { outer, inners in outer.flatMapFirst { inners[$0] } } == [10, 13, 14])
        #expect(run { outer, inners in outer.flatMapLatest { inners[$0] } } == [11, 12, 13, 14])
    }

    @Test("partition separates what satisfies the predicate from the rest")
    func partition() {
        let (even, odd) = (1...6).publisher.partition { $0 % 2 == 0 }
        let (first, second) = (RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>())
        even.subscribe(first)
        odd.subscribe(second)
        #expect(first.values == [2, 4, 6])
        #expect(second.values == [1, 3, 5])
    }

    @Test("A sequence is never further ahead of its partner in zip than a window, however many values are taken")
    func lead() {
        let made = Counter()
        let partner = PassthroughSubject<Int, Never>()
        let subscriber = RecordingSubscriber<(Int, Int), Never>()
        CountedNumbers(made).publisher.zip(partner).subscribe(subscriber)
        for value in 0..<2_000 {
            partner.send(value)
            // One more is made to be looked at.
            #expect(made.count <= value + 1 + 128 + 1)
        }
        #expect(subscriber.values.count == 2_000)
        subscriber.cancel()
    }

    @Test("The functions that join any number of publishers do what the operators do")
    func anyNumber() {
        let subjects = (0..<9).map { _ in Subject() }
        let (zipped, latest) = (RecordingSubscriber<[Int], TestError>(), RecordingSubscriber<[Int], TestError>())
        // For up to eight there are others.
        let all = subjects.map { $0.eraseToAnyPublisher() }
        Publishers.zip(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8])
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8] }.subscribe(zipped)
        Publishers.combineLatest(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8])
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8] }.subscribe(latest)
        for (value, subject) in subjects.enumerated() { subject.send(value) }
        subjects[8].send(9)
        #expect(zipped.values == [Array(0...8)])
        #expect(latest.values == [Array(0...8), Array(0...7) + [9]])
    }
}

/// Two subjects, and the last of what combineLatest made of them.
private final class Round: Sendable {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    private let latest = Mutex([Int]())
    private let subscription = SerialDisposable()

    var last: [Int] { latest.withLock { $0 } }

    init() {
        let sink = a.combineLatest(b).sink { [weak self] values in
            self?.latest.withLock { $0 = [values.0, values.1] }
        }
        subscription.set(sink)
    }
}

import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite("What comes while a join is subscribing or requesting")
struct JoinHoldTests {
    /// Numbers that are noted as they are made.
    private struct NotedNumbers: Sequence, IteratorProtocol, Sendable {
        let log: Recorded<[String]>
        var number = 0

        mutating func next() -> Int? {
            guard number < 4 else { return nil }
            defer { number += 1 }
            log.update { [number] in $0.append("made \(number)") }
            return number
        }
    }

    private typealias Numbers = AnyPublisher<Int, Never>

    @Test("zip delivers each row as it is complete, though a sequence makes its values inside the subscription")
    func rows() {
        let joins: [@Sendable (Numbers, Numbers) -> Numbers] = [
            { $0.zip($1).map(\.1).eraseToAnyPublisher() },
            { $0.zip($0, $1).map(\.2).eraseToAnyPublisher() },
            { $0.zip($0, $0, $1).map(\.3).eraseToAnyPublisher() },
            { [$0, $1].zipped().map { $0[1] }.eraseToAnyPublisher() },
            { Publishers.zip($0, $1).map { $0.1 }.eraseToAnyPublisher() },
        ]
        for (index, join) in joins.enumerated() {
            let log = Recorded<[String]>([])
            let last = NotedNumbers(log: log).publisher.eraseToAnyPublisher()
            let sink = join((0...3).publisher.eraseToAnyPublisher(), last)
                .sink { row in log.update { $0.append("row \(row)") } }
            #expect(log.value == (0...3).flatMap { ["made \($0)", "row \($0)"] }, "\(index)")
            sink.cancel()
        }
    }

    @Test("A join of a single publisher delivers its values, no more than are requested")
    func single() {
        let numbers = (1...6).publisher.eraseToAnyPublisher()
        // As text: the compiler takes a tuple of one for another type than that one.
        let joins: [AnyPublisher<String, Never>] = [
            [numbers].zipped().map { "\($0[0])" }.eraseToAnyPublisher(),
            [numbers].combinedLatest().map { "\($0[0])" }.eraseToAnyPublisher(),
            Publishers.zip(numbers).map { "\($0)" }.eraseToAnyPublisher(),
            Publishers.combineLatest(numbers).map { "\($0)" }.eraseToAnyPublisher(),
        ]
        for (index, join) in joins.enumerated() {
            let all = RecordingSubscriber<String, Never>()
            join.subscribe(all)
            #expect(all.values == (1...6).map(String.init) && all.isFinished, "\(index)")
            let some = RecordingSubscriber<String, Never>(initialDemand: .max(2))
            join.subscribe(some)
            #expect(some.values.count == 2, "\(index)")
            some.request(.max(1))
            #expect(some.values.count == 3, "\(index)")
            some.request(.unlimited)
            #expect(some.isFinished && some.violations.isEmpty, "\(index)")
        }
    }

    /// A publisher that does something once it has given out its subscription, before it returns from that.
    private struct Entered<Upstream: Publisher>: Publisher {
        let upstream: Upstream
        let act: @Sendable () -> Void

        typealias Output = Upstream.Output
        typealias Failure = Upstream.Failure

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: subscriber)
            act()
        }
    }

    @Test("What a join's second upstream sends from another thread while it is subscribed to is delivered there")
    func secondUpstream() {
        typealias Input = PassthroughSubject<Int, Never>
        let joins: [@Sendable (Numbers, Numbers) -> Numbers] = [
            { $0.combineLatest($1).map { $0 + $1 }.eraseToAnyPublisher() },
            { $0.zip($1).map { $0 + $1 }.eraseToAnyPublisher() },
            { Publishers.combineLatest($0, $1).map { $0 + $1 }.eraseToAnyPublisher() },
            { Publishers.zip($0, $1).map { $0 + $1 }.eraseToAnyPublisher() },
            { [$0, $1].combinedLatest().map { $0[0] + $0[1] }.eraseToAnyPublisher() },
            { [$0, $1].zipped().map { $0[0] + $0[1] }.eraseToAnyPublisher() },
        ]
        for (index, join) in joins.enumerated() {
            let second = Input()
            let subscriber = RecordingSubscriber<Int, Never>()
            let seen = Recorded<[Int]>([])
            let entered = Entered(upstream: second) {
                elsewhere { second.send(2) }
                seen.set(subscriber.values)
            }
            join([1].publisher.eraseToAnyPublisher(), entered.eraseToAnyPublisher()).subscribe(subscriber)
            #expect(seen.value == [3], "\(index)")
            #expect(subscriber.violations.isEmpty)
            subscriber.cancel()
        }
    }

    @Test("A row that another thread delivers while zip is subscribing is out before the next one is delivered")
    func oneAtATime() {
        let (isInside, isSubscribed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isRequested = Recorded(false)
        let first = TestPublisher<Int>(.hot)
        let second = Recorded<TestPublisher<Int>?>(nil)
        let publisher = TestPublisher<Int>(
            .hot,
            onCallOut: {
                let isFirst = isRequested.withLock { isRequested in
                    defer { isRequested = true }
                    return !isRequested
                }
                guard isFirst, let second = second.value else { return }
                elsewhere {
                    for value in 1...2 { first.send(value) }
                    for value in 1...2 { second.send(value * 10) }
                }
            })
        second.set(publisher)
        let subscriber = RecordingSubscriber<[Int], TestFailure>(
            initialDemand: .none,
            onValue: { _, row in
                guard row == [1, 10] else { return }
                isInside.signal()
                isSubscribed.wait()
            })
        let isDone = DispatchSemaphore(value: 0)
        let entered = Entered(upstream: publisher) {
            DispatchQueue.global().async {
                subscriber.request(.max(2))
                isDone.signal()
            }
            isInside.wait()
        }
        first.zip(entered) { [$0, $1] }.subscribe(subscriber)
        #expect(subscriber.values == [[1, 10]])
        isSubscribed.signal()
        isDone.wait()
        #expect(subscriber.values == [[1, 10], [2, 20]])
        #expect(subscriber.violations.isEmpty)
        second.set(nil)
        subscriber.cancel()
    }

    @Test("zip loses nothing of a burst, though everything is requested later than a few", arguments: [0, 1, 5])
    func burst(few: Int) {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let subscriber = RecordingSubscriber<[Int], Never>(initialDemand: .none)
        first.handleEvents(receiveRequest: { _ in })
            .zip(second.handleEvents(receiveRequest: { _ in })) { [$0, $1] }.subscribe(subscriber)
        if few > 0 { subscriber.request(.max(few)) }
        subscriber.request(.unlimited)
        for value in 0..<1_000 { first.send(value) }
        for value in 0..<1_000 { second.send(value) }
        #expect(subscriber.values == (0..<1_000).map { [$0, $0] })
        subscriber.cancel()
    }

    /// Sends what it is told to, whatever has been requested.
    private struct Unruly: Publisher {
        typealias Output = Int
        typealias Failure = TestFailure
        let place = Recorded<AnySubscriber<Int, TestFailure>?>(nil)

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
            place.set(AnySubscriber(subscriber))
            subscriber.receive(subscription: Subscriptions.empty)
        }

        func send(_ value: Int) { _ = place.value?.receive(value) }
    }

    @Test("What was sent beyond the demand is not delivered, and does not keep another upstream's failure back")
    func beyondDemand() {
        let joins: [@Sendable (Unruly, TestPublisher<Int>) -> AnyPublisher<[Int], TestFailure>] = [
            { $0.withLatestFrom($1) { [$0, $1] }.eraseToAnyPublisher() },
            { $0.combineLatest($1) { [$0, $1] }.eraseToAnyPublisher() },
        ]
        for join in joins {
            let (unruly, other) = (Unruly(), TestPublisher<Int>(.hot))
            let subscriber = RecordingSubscriber<[Int], TestFailure>(initialDemand: .max(1))
            join(unruly, other).subscribe(subscriber)
            other.send(0)
            for value in 1...3 { unruly.send(value) }
            #expect(subscriber.values == [[1, 0]] && subscriber.completion == nil)
            other.send(.failure("other"))
            #expect(subscriber.completion == .failure(TestFailure("other")))
            #expect(subscriber.values == [[1, 0]] && subscriber.violations.isEmpty)
            unruly.place.set(nil)
        }
    }

    @Test("A sequence that comes to zip late, on another thread, holds nobody up")
    func late() {
        /// Leaves it to the test to subscribe.
        struct Late: Publisher {
            typealias Output = Int
            typealias Failure = Never
            let place = Recorded<AnySubscriber<Int, Never>?>(nil)

            func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
                place.set(AnySubscriber(subscriber))
            }
        }
        let (subject, late) = (PassthroughSubject<Int, Never>(), Late())
        let subscriber = RecordingSubscriber<[Int], Never>()
        subject.zip(late) { [$0, $1] }.subscribe(subscriber)
        subject.send(1)
        elsewhere {
            if let place = late.place.value { (10...12).publisher.receive(subscriber: place) }
        }
        #expect(subscriber.values == [[1, 10]])
        for value in 2...3 { subject.send(value) }
        #expect(subscriber.values == [[1, 10], [2, 11], [3, 12]])
        #expect(subscriber.isFinished && subscriber.violations.isEmpty)
        late.place.set(nil)
    }

    @Test("What another thread sends while a join requests comes before what the request brings")
    func order() {
        let other = PassthroughSubject<Int, TestFailure>()
        #expect(
            delivered {
                $0.prefix(untilOutputFrom: other).map { [$0] }
            } sending: {
                other.send(0)
            } == [])
        #expect(
            delivered {
                $0.drop(untilOutputFrom: other).map { [$0] }
            } sending: {
                other.send(0)
            } == [[1]])
        #expect(
            delivered {
                $0.withLatestFrom(other) { [$0, $1] }
            } sending: {
                other.send(0)
            } == [[1, 0]])
    }

    /// What comes of an operator one of whose upstreams sends a value inside a request, after another thread has sent to
    /// the other one.
    private func delivered<Joined: Publisher<[Int], TestFailure>>(
        _ join: (AnyPublisher<Int, TestFailure>) -> Joined, sending send: @escaping @Sendable () -> Void
    ) -> [[Int]] {
        let isDue = Recorded(false)
        let place = Recorded<TestPublisher<Int>?>(nil)
        let upstream = TestPublisher<Int>(
            .hot,
            onCallOut: {
                let isNow = isDue.withLock { isDue in
                    defer { isDue = false }
                    return isDue
                }
                guard isNow, let upstream = place.value else { return }
                elsewhere(send)
                upstream.send(1)
            })
        place.set(upstream)
        let subscriber = RecordingSubscriber<[Int], TestFailure>(initialDemand: .max(20))
        join(upstream.eraseToAnyPublisher()).subscribe(subscriber)
        isDue.set(true)
        subscriber.request(.max(1))
        place.set(nil)
        return subscriber.values
    }
}

/// Runs work on another thread, and waits for it.
private func elsewhere(_ work: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        work()
        isDone.signal()
    }
    isDone.wait()
}

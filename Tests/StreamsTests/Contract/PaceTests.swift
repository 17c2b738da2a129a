import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Delivery keeps pace with demand: endless synchronous sources behind operators that queue")
struct PaceTests {
    private let made = Counter()
    private var endless: Publishers.Sequence<CountedNumbers, Never> { CountedNumbers(made).publisher }

    /// Subscribes, requests everything late, and cancels inside the fifth value.
    private func five<P: Publisher>(_ publisher: P, then act: () -> Void = {}) -> [P.Output] {
        let subscriber = RecordingSubscriber<P.Output, P.Failure>(
            initialDemand: .none,
            onValue: { subscriber, _ in if subscriber.values.count == 5 { subscriber.cancelInSignal() } })
        publisher.subscribe(subscriber)
        subscriber.request(.unlimited)
        act()
        subscriber.cancel()
        #expect(subscriber.violations.isEmpty)
        return subscriber.values
    }

    @Test("flatMap, one at a time: the next publisher is not run dry by the delivery that makes room for it")
    func flatMap() {
        let endless = endless.eraseToAnyPublisher()
        let values = five(
            [0, 1].publisher.flatMap(maxPublishers: .max(1)) { $0 == 0 ? Just(7).eraseToAnyPublisher() : endless })
        #expect(values == [7, 0, 1, 2, 3])
        #expect(made.count <= 20)
    }

    @Test("concatMap: neither the next publisher nor its upstream is run dry")
    func concatMap() {
        let inner = Counter()
        let values = five(
            endless.concatMap {
                $0 == 0 ? [7].publisher.eraseToAnyPublisher() : CountedNumbers(inner).publisher.eraseToAnyPublisher()
            })
        #expect(values == [7, 0, 1, 2, 3])
        #expect(inner.count <= 20)
        #expect(made.count <= 5)
    }

    @Test("switchToLatest: the newest publisher is not run dry by the request that reaches it")
    func switchToLatest() {
        let many = (0..<1_000).publisher.handleEvents(receiveOutput: { [made] _ in made.increment() })
        #expect(five(Just(many).switchToLatest()) == [0, 1, 2, 3, 4])
        #expect(made.count <= 20)
    }

    @Test("flatMap makes no inner publishers while values of others wait for demand")
    func flatMapOuter() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(3))
        endless.flatMap { Just($0) }.subscribe(subscriber)
        #expect(subscriber.values == [0, 1, 2])
        subscriber.request(.max(2))
        #expect(subscriber.values == [0, 1, 2, 3, 4])
        #expect(made.count <= 8)
        subscriber.cancel()
    }

    @Test("Within a finite demand, an inner publisher that answers at once is not asked for its values one by one")
    func flatMapWindow() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(100))
        let requests = Counter()
        Just(0).flatMap { _ in CountedRequests(upstream: (0..<1_000).publisher, requests: requests) }
            .subscribe(subscriber)
        subscriber.request(.max(100))
        subscriber.request(.max(100))
        #expect(subscriber.values == Array(0..<300))
        #expect(requests.count <= 4)
        subscriber.cancel()
    }

    @Test(
        "An inner publisher that is subscribed to inside a delivery waits for that, and loses nothing that is sent there"
    )
    func flatMapInside() {
        let outer = PassthroughSubject<Int, Never>()
        let (first, hot) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let endless = endless.eraseToAnyPublisher()
        let subscriber = RecordingSubscriber<Int, Never>(onValue: { subscriber, value in
            switch value {
            case 100:
                outer.send(1)
                for value in 200..<300 { hot.send(value) }
            case 299: outer.send(2)
            default: if subscriber.values.count == 105 { subscriber.cancelInSignal() }
            }
        })
        outer.flatMap { [first.eraseToAnyPublisher(), hot.eraseToAnyPublisher(), endless][$0] }.subscribe(
            subscriber)
        outer.send(0)
        first.send(100)
        #expect(subscriber.values == [100] + Array(200..<300) + Array(0..<4))
        #expect(made.count <= 20)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("An inner publisher that blocks while it is subscribed to holds nobody up")
    func flatMapBlocked() {
        let outer = PassthroughSubject<Int, Never>()
        let live = PassthroughSubject<Int, Never>()
        let (isBlocked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let subscriber = RecordingSubscriber<Int, Never>()
        outer.flatMap { number -> AnyPublisher<Int, Never> in
            number == 0
                ? live.eraseToAnyPublisher()
                : AnyPublisher.create { emitter in
                    emitter.send(1)
                    isBlocked.signal()
                    goesOn.wait()
                    emitter.send(3)
                    return Disposable()
                }
        }.subscribe(subscriber)
        outer.send(0)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "outer").async {
            outer.send(1)
            done.signal()
        }
        isBlocked.wait()
        live.send(2)
        #expect(subscriber.values == [1, 2])
        goesOn.signal()
        done.wait()
        #expect(subscriber.values == [1, 2, 3])
        subscriber.cancel()
    }

    @Test("retryWhen with a trigger that comes later passes an attempt's values straight on")
    func retryWhen() {
        let upstream = PassthroughSubject<Int, TestError>()
        let trigger = PassthroughSubject<Void, TestError>()
        let attempts = Counter()
        let endless = endless.setFailureType(to: TestError.self).eraseToAnyPublisher()
        let values = five(
            Deferred {
                attempts.increment()
                return attempts.count == 1 ? upstream.eraseToAnyPublisher() : endless
            }.retryWhen { _ in trigger },
            then: {
                upstream.send(7)
                upstream.send(completion: .failure(.expected))
                trigger.send()
            })
        #expect(values == [7, 0, 1, 2, 3])
        #expect(made.count <= 6)
    }

    @Test("zip of endless sequences, with everything requested")
    func zip() {
        #expect(five(endless.zip((10...).publisher)).map(\.1) == [10, 11, 12, 13, 14])
        #expect(made.count <= 200)
        let subscriber = RecordingSubscriber<[Int], Never>(onValue: { subscriber, _ in
            if subscriber.values.count == 1_000 { subscriber.cancelInSignal() }
        })
        [endless, endless, endless].zipped().subscribe(subscriber)
        #expect(subscriber.values == (0..<1_000).map { [$0, $0, $0] })
    }

    @Test("zip of an endless publisher of whatever kind that delivers inside its requests ends with the others")
    func zipOfAnyKind() {
        let created: @Sendable (Counter) -> AnyPublisher<Int, Never> = { made in
            .create { emitter in
                emitter.onRequest { _ in
                    while emitter.requested > .none {
                        emitter.send(made.count)
                        made.increment()
                    }
                }
                return Disposable()
            }
        }
        let kinds: [(name: String, make: (Counter) -> AnyPublisher<Int, Never>)] = [
            ("by hand", { HandMadeNumbers($0).eraseToAnyPublisher() }),
            ("observed", { CountedNumbers($0).publisher.handleEvents(receiveRequest: { _ in }).eraseToAnyPublisher() }),
            ("flattened", { CountedNumbers($0).publisher.flatMap { Just($0) }.eraseToAnyPublisher() }),
            ("appended", { Just(-1).append(CountedNumbers($0).publisher).map { $0 + 1 }.eraseToAnyPublisher() }),
            ("repeated", { CountedNumbers($0).publisher.prefix(3).repeat().eraseToAnyPublisher() }),
            ("created", { created($0) }),
        ]
        for (name, make) in kinds {
            let made = Counter()
            let subscriber = RecordingSubscriber<[Int], Never>()
            make(made).zip([10, 11, 12].publisher) { [$0, $1] }.subscribe(subscriber)
            #expect(subscriber.values == [[0, 10], [1, 11], [2, 12]], "\(name)")
            #expect(subscriber.isFinished && subscriber.violations.isEmpty, "\(name)")
            #expect(made.count <= 200, "\(name)")
        }
    }

    @Test("zip asks for everything of what does not deliver inside its requests, and so loses nothing of a burst")
    func zipOfHot() {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let subscriber = RecordingSubscriber<[Int], Never>()
        (0..<300).publisher.append(first.handleEvents(receiveRequest: { _ in }))
            .zip(second.handleEvents(receiveRequest: { _ in })) { [$0, $1] }.subscribe(subscriber)
        for value in 0..<300 { second.send(value) }
        for value in 300..<1_000 { first.send(value) }
        for value in 300..<1_000 { second.send(value) }
        #expect(subscriber.values == (0..<1_000).map { [$0, $0] })
        subscriber.cancel()
    }

    @Test("What is requested late of a join is asked for as values are passed on")
    func joins() {
        let silent = Empty<Int, Never>(completeImmediately: false)
        #expect(five(endless.prefix(untilOutputFrom: silent)) == [0, 1, 2, 3, 4])
        #expect(five(endless.withLatestFrom(Just(7))).map(\.0) == [0, 1, 2, 3, 4])
        #expect(made.count <= 20)
    }

    @Test("combineLatest delivers while its second upstream is being subscribed to, and can be cancelled there")
    func combineLatest() {
        let subscriber = RecordingSubscriber<[Int], Never>(onValue: { subscriber, _ in
            if subscriber.values.count == 5 { subscriber.cancelInSignal() }
        })
        Just(7).combineLatest(endless) { [$0, $1] }.subscribe(subscriber)
        #expect(subscriber.values == (0..<5).map { [7, $0] })
        #expect(made.count == 5)
    }

    @Test("combineLatest, sample and withLatestFrom keep one value of a source that runs inside the subscription")
    func keepsOne() {
        final class Token: Sendable {}
        struct Weak: Sendable { weak let token: Token? }
        let first = Recorded(Weak(token: nil))
        let held = Recorded(false)
        func tokens() -> some Publisher<Token, Never> {
            (0..<10).publisher.map { number -> Token in
                // By the time that the third is made, nobody keeps the first.
                if number == 3 { held.update { $0 = $0 || first.value.token != nil } }
                let token = Token()
                if number == 0 { first.update { $0 = Weak(token: token) } }
                return token
            }
        }
        let silent = Empty<Int, Never>(completeImmediately: false)
        for publisher: any Publisher in [
            tokens().combineLatest(silent), tokens().sample(silent), silent.withLatestFrom(tokens()),
        ] {
            func open(_ publisher: some Publisher) {
                _ = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            }
            open(publisher)
        }
        #expect(!held.value)
    }

    @Test("collect by time or count takes no more of a sequence than an array and a window")
    func collect() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<[Int], Never>(initialDemand: .max(2))
        endless.collect(.byTimeOrCount(scheduler, .seconds(1), 3)).subscribe(subscriber)
        scheduler.advance(by: .milliseconds(1))
        #expect(subscriber.values == [[0, 1, 2], [3, 4, 5]])
        #expect(made.count <= 200)
        subscriber.cancel()
    }

    @Test("A sequence fetches nothing after a cancel, and generate makes nothing ahead of its request")
    func sources() {
        endless.subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }))
        #expect(made.count == 0)
        let one = RecordingSubscriber<Int, Never>(
            initialDemand: .max(9), onValue: { subscriber, _ in subscriber.cancelInSignal() })
        endless.subscribe(one)
        #expect(made.count == 1)

        let calls = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
        Publishers.generate(
            1,
            while: {
                calls.increment()
                return $0 < 4
            }, next: { $0 * 2 }
        ).subscribe(subscriber)
        #expect(calls.count == 0)
        subscriber.request(.max(1))
        #expect(calls.count == 1)
        subscriber.request(.max(1))
        #expect(calls.count == 2 && subscriber.completion == nil)
        subscriber.request(.max(1))
        #expect(calls.count == 3 && subscriber.isFinished)
    }
}

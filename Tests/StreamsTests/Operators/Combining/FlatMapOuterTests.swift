import Streams
import StreamsTesting
import Testing

@Suite("flatMap asks its upstream for as much as it has room for")
struct FlatMapOuterTests {
    @Test("Requested one by one, a sequence's values are made one by one, however long that goes on")
    func oneByOne() {
        let made = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
        CountedNumbers(made).publisher.flatMap { [$0, -$0].publisher }.subscribe(subscriber)
        for count in 1...200 {
            subscriber.request(.max(1))
            #expect(subscriber.values.count == count)
            #expect(made.count <= count / 2 + 4)
        }
        let numbers = subscriber.values
        #expect(numbers.filter { $0 > 0 }.sorted() == Array(1...numbers.count { $0 > 0 }))
        subscriber.cancel()
    }

    @Test("The same with the values returned as demand, and with more requested in between")
    func returned() {
        let made = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1), demandForValue: { $0 % 10 == 0 ? .none : .max(1) })
        CountedNumbers(made).publisher.flatMap { Just($0) }.subscribe(subscriber)
        for round in 1...20 {
            #expect(subscriber.values.count == round * 10)
            #expect(made.count <= round * 10 + 4)
            subscriber.request(.max(1))
        }
        #expect(subscriber.values == Array(0..<210))
        subscriber.cancel()
    }

    @Test("Of so many at a time, one more is asked for when one has finished and is delivered", arguments: 1...3)
    func limited(count: Int) {
        let made = Counter()
        let open = Recorded<[PassthroughSubject<Int, Never>]>([])
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
        CountedNumbers(made).publisher.flatMap(maxPublishers: .max(count)) { _ in
            let subject = PassthroughSubject<Int, Never>()
            open.update { $0.append(subject) }
            return subject
        }.subscribe(subscriber)
        for turn in 0..<10 {
            #expect(open.value.count == count + turn)
            let subject = open.value[turn]
            subscriber.request(.max(1))
            subject.send(turn)
            #expect(open.value.count == count + turn)
            subject.send(completion: .finished)
        }
        #expect(subscriber.values == Array(0..<10))
        subscriber.cancel()
    }

    @Test("A publisher that ends inside the delivery of another one's value makes room for one more, once")
    func endsInside() {
        let outer = TestPublisher<Int>(.hot)
        let live = PassthroughSubject<Int, TestFailure>()
        let subscriber = RecordingSubscriber<Int, TestFailure>(
            onValue: { _, value in
                guard value == 1 else { return }
                live.send(9)
                live.send(completion: .finished)
            })
        outer.flatMap(maxPublishers: .max(2)) { number in
            number == 0
                ? live.eraseToAnyPublisher()
                : (1...3).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
        }.subscribe(subscriber)
        outer.send(0)
        outer.send(1)
        #expect(subscriber.values == [1, 9, 2, 3])
        #expect(outer.windows.first?.requested == .max(4))
    }

    @Test("What live publishers send inside deliveries makes room for no more than one of a sequence's values")
    func live() {
        let made = Counter()
        let live = (0..<10).map { _ in PassthroughSubject<Int, Never>() }
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .none,
            onValue: { _, value in
                switch value {
                case 10: live[0].send(100)
                case 100..<109: live[value - 99].send(value + 1)
                default: break
                }
            })
        CountedNumbers(made).publisher.flatMap { number in
            number < 10 ? live[number].eraseToAnyPublisher() : Just(number).eraseToAnyPublisher()
        }.subscribe(subscriber)
        #expect(subscriber.values == [])
        let before = made.count
        subscriber.request(.max(11))
        #expect(subscriber.values == [10] + Array(100..<110))
        #expect(made.count == before + 1)
        subscriber.request(.max(3))
        #expect(subscriber.values.suffix(3) == [11, 12, 13])
        #expect(made.count == before + 4)
        subscriber.cancel()
    }

    @Test("A value of a sequence comes behind what another inner publisher has sent inside the delivery before")
    func insideDelivery() {
        let (outer, live) = (PassthroughSubject<AnyPublisher<Int, Never>, Never>(), PassthroughSubject<Int, Never>())
        let subscriber = RecordingSubscriber<Int, Never>(onValue: { _, value in if value == 1 { live.send(10) } })
        outer.flatMap { $0 }.subscribe(subscriber)
        outer.send(live.eraseToAnyPublisher())
        outer.send([1, 2, 3].publisher.eraseToAnyPublisher())
        #expect(subscriber.values == [1, 10, 2, 3])
        subscriber.cancel()
    }

    @Test("What is returned for a value, inside which another publisher has become the newest, is asked of that one")
    func returnedToNewest() {
        let (outer, older, newer) = (
            PassthroughSubject<PassthroughSubject<Int, Never>, Never>(), PassthroughSubject<Int, Never>(),
            PassthroughSubject<Int, Never>()
        )
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1), demandForValue: { $0 == 1 ? .max(3) : .none },
            onValue: { _, value in if value == 1 { outer.send(newer) } })
        outer.switchToLatest().subscribe(subscriber)
        outer.send(older)
        older.send(1)
        for value in 2...5 { newer.send(value) }
        #expect(subscriber.values == [1, 2, 3, 4])
        subscriber.cancel()
    }
}

import Streams
import StreamsTesting
import Testing

@Suite("ReplaySubject, many subscribers")
struct ReplaySubjectTests {
    // The limit is a net: with a search for each cancel this would take many minutes, and takes no second.
    @Test("A hundred thousand subscribers are cancelled in no time to speak of", .timeLimit(.minutes(5)))
    func cancels() {
        let subject = ReplaySubject<Int, Never>(bufferSize: 1)
        let received = Counter()
        var subscriptions = (0..<100_000).map { _ in subject.sink { _ in received.increment() } }
        // In the order of subscription, the other way round, and the rest.
        for index in 0..<30_000 { subscriptions[index].cancel() }
        for index in (70_000..<100_000).reversed() { subscriptions[index].cancel() }
        subject.send(1)
        #expect(received.count == 40_000)
        subscriptions.removeAll()
        subject.send(2)
        #expect(received.count == 40_000)
    }

    @Test("Whoever is left after cancels gets values in the order of subscription, and whoever has left is released")
    func order() {
        final class Token: Sendable {}
        let subject = ReplaySubject<Int, Never>(bufferSize: 1)
        let order = Recorded<[Int]>([])
        let subscriptions = (0..<10).map { index in
            subject.sink { _ in order.update { $0.append(index) } }
        }
        weak var released: Token?
        do {
            let token = Token()
            released = token
            subject.sink { _ in withExtendedLifetime(token) {} }.cancel()
        }
        #expect(released == nil)
        for index in [3, 0, 7, 8, 1, 9, 5] { subscriptions[index].cancel() }
        subject.send(1)
        #expect(order.value == [2, 4, 6])
        let late = subject.sink { _ in order.update { $0.append(10) } }
        subject.send(2)
        #expect(order.value == [2, 4, 6, 10, 2, 4, 6, 10])
        withExtendedLifetime(late) {}
    }

    @Test("The end lets go of whoever never requests what waits and has let go of the subscription")
    func letsGo() {
        /// A subscriber that keeps nothing.
        final class Careless: Subscriber {
            func receive(subscription: any Subscription) {}
            func receive(_ input: Int) -> Subscribers.Demand { .none }
            func receive(completion: Subscribers.Completion<Never>) {}
        }
        let subject = ReplaySubject<Int, Never>(bufferSize: 1)
        weak var careless: Careless?
        do {
            let subscriber = Careless()
            careless = subscriber
            subject.subscribe(subscriber)
        }
        subject.send(1)
        #expect(careless != nil)
        subject.send(completion: .finished)
        #expect(careless == nil)
    }

    @Test("A subscriber that cancels another inside a value: the other gets no more")
    func cancelInside() {
        let subject = ReplaySubject<Int, Never>(bufferSize: 0)
        let second = RecordingSubscriber<Int, Never>()
        let first = subject.sink { value in if value == 2 { second.cancel() } }
        subject.subscribe(second)
        for value in 1...3 { subject.send(value) }
        #expect(second.values == [1])
        withExtendedLifetime(first) {}
    }
}

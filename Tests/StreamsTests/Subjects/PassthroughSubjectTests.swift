import Streams
import Testing

@Suite("PassthroughSubject")
struct PassthroughSubjectTests {
    // FIELD.md: "subjects | fan-out order random (a Set)".
    @Test("Subscribers are served in the order of subscription, after cancellations too")
    func fanOutOrder() {
        let subject = PassthroughSubject<Int, Never>()
        let order = Recorded<[Int]>([])
        var cancellables = (0..<100).map { index in
            subject.sink { _ in order.withLock { $0.append(index) } }
        }
        subject.send(0)
        #expect(order.value == Array(0..<100))
        order.withLock { $0 = [] }
        for index in 0..<100 where index % 3 != 0 { cancellables[index].cancel() }
        cancellables.append(subject.sink { _ in order.withLock { $0.append(100) } })
        subject.send(0)
        #expect(order.value == (0..<100).filter { $0 % 3 == 0 } + [100])
    }

    @Test("A subject that has ended keeps no upstream", arguments: [false, true])
    func letsUpstreamGo(isDemanded: Bool) {
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = isDemanded ? subject.sink { _ in } : nil
        weak var upstream: Upstream?
        do {
            let subscription = Upstream()
            upstream = subscription
            subject.send(subscription: subscription)
        }
        #expect(upstream != nil)
        subject.send(completion: .finished)
        #expect(upstream == nil)
        withExtendedLifetime((subject, subscriber)) {}
    }

    private final class Upstream: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    // FIELD.md: "nothing after terminal | a subject delivered a value after .finished in 11 of 20,000 races".
    @Test("Nothing follows the completion when another thread sends")
    func sendRacesCompletion() {
        for _ in 0..<raceCount {
            let subject = PassthroughSubject<Int, Never>()
            let probe = SubjectProbe<Int>()
            subject.subscribe(probe)
            SubjectRace.run(
                { for value in 0..<10 { subject.send(value) } },
                { subject.send(completion: .finished) })
            #expect(probe.completions == 1)
            #expect(probe.valuesAfterCompletion == 0)
        }
    }

    @Test("Two threads lose nothing, and each one's values stay in order")
    func twoSenders() {
        let subject = PassthroughSubject<Int, Never>()
        let probe = SubjectProbe<Int>()
        subject.subscribe(probe)
        SubjectRace.run(
            { for value in 0..<20_000 { subject.send(value) } },
            { for value in 0..<20_000 { subject.send(-1 - value) } })
        #expect(probe.values.filter { $0 >= 0 } == Array(0..<20_000))
        #expect(probe.values.filter { $0 < 0 } == (0..<20_000).map { -1 - $0 })
    }

    @Test("What is sent inside a delivery is delivered after it, to everybody, without recursion")
    func reentrantSend() {
        let subject = PassthroughSubject<Int, Never>()
        let first = SubjectProbe<Int> { if $0 < 100_000 { subject.send($0 + 1) } }
        let second = SubjectProbe<Int>()
        subject.subscribe(first)
        subject.subscribe(second)
        subject.send(0)
        #expect(first.values == Array(0...100_000))
        #expect(second.values == Array(0...100_000))
    }

    @Test("A subscriber without demand misses values; demand adds up")
    func demand() {
        let subject = PassthroughSubject<Int, Never>()
        let probe = SubjectProbe<Int>(demand: .none)
        subject.subscribe(probe)
        subject.send(1)
        probe.subscription?.request(.max(1))
        probe.subscription?.request(.max(1))
        probe.subscription?.request(.none)
        for value in 2...4 { subject.send(value) }
        probe.subscription?.request(.unlimited)
        subject.send(5)
        #expect(probe.values == [2, 3, 5])
    }

    @Test("A late subscriber gets the completion alone")
    func lateSubscriber() {
        let subject = PassthroughSubject<Int, Never>()
        subject.send(completion: .finished)
        subject.send(1)
        subject.send(completion: .finished)
        let probe = SubjectProbe<Int>(demand: .none)
        subject.subscribe(probe)
        #expect(probe.values.isEmpty)
        #expect(probe.completions == 1)
    }

    // FIELD.md section 2, traps: "an unowned subject crashed on a late cancel".
    @Test("Cancelling after the subject has gone does nothing")
    func lateCancel() {
        let probe = SubjectProbe<Int>()
        do {
            let subject = PassthroughSubject<Int, Never>()
            subject.subscribe(probe)
            subject.send(1)
        }
        probe.subscription?.request(.max(1))
        probe.subscription?.cancel()
        probe.subscription?.cancel()
        #expect(probe.values == [1])
        #expect(probe.completions == 0)
    }

    @Test(
        "A kept subscription does not keep the subscriber, after a cancel, a completion or the subject's end",
        arguments: ["cancel", "complete", "abandon", "cancel inside"])
    func release(how: String) {
        let isReleased = Recorded(false)
        let kept = Recorded<(any Subscription)?>(nil)
        var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
        do {
            let marker = ReleaseMarker { isReleased.set(true) }
            subject?.subscribe(
                AnySubscriber<Int, Never>(
                    receiveSubscription: { subscription in
                        kept.withLock { $0 = subscription }
                        subscription.request(.unlimited)
                    },
                    receiveValue: { value in
                        withExtendedLifetime(marker) {}
                        if value == 2 { kept.value?.cancel() }
                        return .none
                    }))
        }
        subject?.send(1)
        #expect(!isReleased.value)
        switch how {
        case "cancel": kept.value?.cancel()
        case "complete": subject?.send(completion: .finished)
        case "abandon": subject = nil
        default: subject?.send(2)
        }
        #expect(isReleased.value)
        #expect(kept.withLock { $0 != nil })
    }

    @Test("Cancelled inside a delivery, nothing more is delivered, and the others get theirs")
    func cancelInside() {
        let subject = PassthroughSubject<Int, Never>()
        let second = SubjectProbe<Int>()
        let first = SubjectProbe<Int> { _ in second.subscription?.cancel() }
        let third = SubjectProbe<Int>()
        for probe in [first, second, third] { subject.subscribe(probe) }
        subject.send(1)
        subject.send(2)
        #expect(first.values == [1, 2])
        #expect(second.values == [])
        #expect(third.values == [1, 2])
    }

    @Test("Subscribing and cancelling while another thread sends loses nothing for those who stay")
    func churn() {
        let subject = PassthroughSubject<Int, Never>()
        let probe = SubjectProbe<Int>()
        subject.subscribe(probe)
        SubjectRace.run(
            { for value in 0..<5_000 { subject.send(value) } },
            {
                for _ in 0..<5_000 {
                    let extra = SubjectProbe<Int>()
                    subject.subscribe(extra)
                    extra.subscription?.cancel()
                }
            })
        #expect(probe.values == Array(0..<5_000))
    }

    @Test("An upstream is asked for everything once a subscriber has requested, and is cancelled at the end")
    func upstream() {
        final class Upstream: Subscription {
            let requests = Recorded<[Subscribers.Demand]>([])
            let isCancelled = Recorded(false)
            func request(_ demand: Subscribers.Demand) { requests.withLock { $0.append(demand) } }
            func cancel() { isCancelled.set(true) }
        }
        let subject = PassthroughSubject<Int, Never>()
        let (first, second) = (Upstream(), Upstream())
        subject.send(subscription: first)
        let probe = SubjectProbe<Int>(demand: .none)
        subject.subscribe(probe)
        #expect(first.requests.value == [])
        probe.subscription?.request(.max(1))
        probe.subscription?.request(.max(1))
        #expect(first.requests.value == [.unlimited])
        subject.send(completion: .finished)
        #expect(first.isCancelled.value)
        subject.send(subscription: second)
        #expect(second.isCancelled.value)
    }
}

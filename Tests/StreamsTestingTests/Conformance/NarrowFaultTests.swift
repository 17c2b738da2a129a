import Streams
import StreamsTesting
import Synchronization
import Testing

/// Hands its subscription over once more when so much is requested after the cancel.
private struct ComingBack: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: AnyPublisher<Int, TestFailure>
    let least: Subscribers.Demand

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let downstream = AnySubscriber(subscriber)
        upstream.receive(
            subscriber: AnySubscriber(
                receiveSubscription: { downstream.receive(subscription: Handle(downstream, $0, least)) },
                receiveValue: { downstream.receive($0) },
                receiveCompletion: { downstream.receive(completion: $0) }))
    }

    private final class Handle: Subscription {
        private let downstream: AnySubscriber<Int, TestFailure>
        private let upstream: any Subscription
        private let least: Subscribers.Demand
        private let isCancelled = Atomic(false)

        init(
            _ downstream: AnySubscriber<Int, TestFailure>, _ upstream: any Subscription, _ least: Subscribers.Demand
        ) {
            self.downstream = downstream
            self.upstream = upstream
            self.least = least
        }

        func request(_ demand: Subscribers.Demand) {
            guard isCancelled.load(ordering: .acquiring) else { return upstream.request(demand) }
            if demand >= least { downstream.receive(subscription: Subscriptions.empty) }
        }

        func cancel() {
            isCancelled.store(true, ordering: .releasing)
            upstream.cancel()
        }
    }
}

/// Takes all of its first upstream, and delivers it later, if the second has not been heard of by then.
private struct Impatient: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    private final class Heard: Sendable {
        let isSo = Atomic(false)
    }

    let upstreams: [AnyPublisher<Int, TestFailure>]

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let heard = Heard()
        upstreams[1].subscribe(
            RecordingSubscriber(
                initialDemand: .max(1), onValue: { _, _ in heard.isSo.store(true, ordering: .releasing) },
                onCompletion: { heard.isSo.store(true, ordering: .releasing) }))
        if heard.isSo.load(ordering: .acquiring) {
            upstreams[0].receive(subscriber: subscriber)
        } else {
            upstreams[0].collect().flatMap { $0.publisher.setFailureType(to: TestFailure.self) }
                .receive(subscriber: subscriber)
        }
    }
}

/// Drops what comes after the cancel, but for the end.
private struct EndingAnyway: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: AnyPublisher<Int, TestFailure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let downstream = AnySubscriber(subscriber)
        let values = PassthroughSubject<Int, TestFailure>()
        values.subscribe(
            AnySubscriber(
                receiveSubscription: { downstream.receive(subscription: $0) },
                receiveValue: { downstream.receive($0) },
                receiveCompletion: { _ in }))
        upstream.receive(
            subscriber: AnySubscriber(
                receiveSubscription: { $0.request(.unlimited) },
                receiveValue: {
                    values.send($0)
                    return .none
                },
                receiveCompletion: { downstream.receive(completion: $0) }))
    }
}

@Suite("Faults that show in one situation alone")
struct NarrowFaultTests {
    @Test("An end that comes after the cancel is found, also where no value does")
    func endingAnyway() {
        let results = Conformance<Int>.operator("ending anyway") { EndingAnyway(upstream: $0) }.results()
        let breach = results.first { $0.rule == .lateValueIsDropped }?.breach
        #expect(breach?.contains("a completion came after the cancel") ?? false, "\(results)")
    }

    @Test(
        "A subscription that comes once more for a request after the cancel is found",
        arguments: [Subscribers.Demand.max(1), .unlimited])
    func comingBack(least: Subscribers.Demand) {
        let results = Conformance<Int>.operator("coming back") { ComingBack(upstream: $0, least: least) }.results()
        let breach = results.first { $0.rule == .requestAfterCancel }?.breach
        #expect(breach?.hasPrefix("secondSubscription") ?? false, "\(results)")
    }

    @Test(
        "An upstream that is run dry while another one is silent is found",
        arguments: [ConformanceRule.keepsPace, .asksForNoMore])
    func impatient(_ rule: ConformanceRule) {
        let results = Conformance<Int>("impatient", inputs: 2) { Impatient(upstreams: $0) }.results()
        #expect(
            results.contains { $0.rule == rule && $0.breach?.hasPrefix("5000 values were made") ?? false },
            "\(results)")
    }

    @Test("An operator may ask for a window of values beyond those that are wanted, and no more")
    func window() {
        for (size, isKept) in [(1, true), (199, true), (201, false)] {
            let results = Conformance<Int>.operator("buffer") {
                $0.buffer(size: size, prefetch: .keepFull, whenFull: .dropNewest)
            }.results().filter { [.keepsPace, .asksForNoMore].contains($0.rule) }
            #expect(results.count == 2 && results.allSatisfy { $0.isBroken != isKept }, "\(size): \(results)")
        }
    }

    @Test("A value that came before the cancel is not said to have come for a request after it")
    func earlier() {
        let results = Conformance<Int>.operator("faulty") { Faulty(fault: .deliversFirst, upstreams: [$0]) }.results()
        #expect(!results.contains { "\($0)".contains("a request after the cancel brought a value") }, "\(results)")
    }

    @Test("An upstream that is run dry where another one has values for as many as are wanted is found")
    func runDry() {
        let results = Conformance<Int>("zip", inputs: 2) { upstreams in
            upstreams[0].buffer(size: 10_000, prefetch: .keepFull, whenFull: .dropNewest).zip(upstreams[1]) { $0 + $1 }
        }.results()
        let breach = results.first { $0.rule == .keepsPace }?.breach
        #expect(breach?.contains("where 5 were wanted") ?? false, "\(results)")
    }
}

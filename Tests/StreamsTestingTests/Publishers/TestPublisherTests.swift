import Streams
import Testing

@testable import StreamsTesting

@Suite("TestPublisher")
struct TestPublisherTests {
    private let scheduler = VirtualTimeScheduler()

    @Test("A cold one begins anew for each subscriber and keeps what is not requested")
    func cold() throws {
        let publisher = TestPublisher<String>(.cold, "1-2-3|", on: scheduler)
        let first = RecordingSubscriber<String, TestFailure>(demand: .upTo(2), clock: scheduler)
        publisher.subscribe(first)
        scheduler.advance(by: .milliseconds(10))
        #expect("\(first.timeline)" == "1-2-")
        first.request(.unlimited)
        #expect("\(first.timeline)" == "1-2-------(3|)")
        let second = RecordingSubscriber<String, TestFailure>(demand: .unlimited, clock: scheduler)
        publisher.subscribe(second)
        scheduler.run()
        #expect(second.values == ["1", "2", "3"])
        #expect(publisher.windows.map(\.start) == [.milliseconds(0), .milliseconds(10)])
        #expect(publisher.windows.allSatisfy { $0.end?.how == .completed && $0.dropped == 0 && $0.delivered == 3 })
        #expect(publisher.windows[0].requested == .unlimited)
    }

    @Test("Records of subscribers are equal where all of them is")
    func records() throws {
        func record(_ steps: (RecordingSubscriber<Int, TestFailure>, TestPublisher<Int>, any Subscription) -> Void)
            throws
            -> SubscriptionWindow
        {
            let publisher = TestPublisher<Int>(.hot)
            let subscriber = RecordingSubscriber<Int, TestFailure>(demand: .upTo(1))
            publisher.subscribe(subscriber)
            steps(subscriber, publisher, try #require(subscriber.takenSubscription()))
            return try #require(publisher.windows.first)
        }
        let records = try [
            record { _, _, _ in }, record { subscriber, _, _ in subscriber.request(.max(1)) },
            record { _, publisher, _ in publisher.send(1) },
            record { _, publisher, _ in [1, 2].forEach(publisher.send) },
            record { _, publisher, _ in publisher.send(.finished) },
            record { _, _, subscription in subscription.cancel() },
            record { _, _, subscription in for _ in 0..<2 { subscription.cancel() } },
            record { _, publisher, subscription in
                publisher.send(.finished)
                subscription.request(.max(1))
            },
        ]
        for (index, one) in records.enumerated() {
            for (other, another) in records.enumerated() { #expect((one == another) == (index == other)) }
        }
        // Two that request nothing differ in nothing but when they begin.
        let publisher = TestPublisher<Int>(.hot, "-----|", on: scheduler)
        for _ in 0..<2 {
            publisher.subscribe(
                AnySubscriber(receiveSubscription: { _ in }, receiveValue: { _ in .none }, receiveCompletion: { _ in }))
            scheduler.advance(by: .microseconds(1))
        }
        #expect(publisher.windows.count == 2 && publisher.windows[0] != publisher.windows[1])
    }

    @Test("A hot one has one timeline for all, and drops what nobody has requested")
    func hot() throws {
        let publisher = TestPublisher<String>(.hot, "1-2-3|", on: scheduler)
        let early = RecordingSubscriber<String, TestFailure>(demand: .upTo(1), clock: scheduler)
        publisher.subscribe(early)
        scheduler.advance(by: .milliseconds(1))
        let late = RecordingSubscriber<String, TestFailure>(demand: .unlimited, clock: scheduler)
        publisher.subscribe(late)
        scheduler.run()
        #expect(early.values == ["1"])
        #expect(late.values == ["2", "3"])
        #expect(publisher.windows.map(\.dropped) == [2, 0])
    }

    @Test("A subscription can be drawn: its beginning, its requests and its end")
    func drawn() throws {
        let publisher = TestPublisher<String>(.cold, "1-2-3|", on: scheduler)
        let subscriber = RecordingSubscriber<String, TestFailure>(demand: .upTo(1), clock: scheduler)
        scheduler.advance(by: .milliseconds(1))
        publisher.subscribe(subscriber)
        scheduler.advance(by: .milliseconds(2))
        subscriber.request(.unlimited)
        scheduler.advance(by: .milliseconds(1))
        subscriber.cancel()
        let window = try #require(publisher.windows.first)
        #expect(MarbleChart([.init("subscription", window)]).lines == ["-(s1)-∞;"])
    }

    @Test("A cancel, and what comes after it, is written down")
    func cancelled() {
        let publisher = TestPublisher<Int>(.hot)
        let subscriber = RecordingSubscriber<Int, TestFailure>(demand: .unlimited, cancellingAt: 2)
        publisher.subscribe(subscriber)
        for value in 1...4 { publisher.send(value) }
        #expect(subscriber.values == [1, 2])
        #expect(publisher.windows.map(\.cancels) == [1])
        #expect(publisher.windows.map(\.end?.how) == [.cancelled])
        #expect(!publisher.isOpen)
    }

    @Test(
        "Demand policies ask for what they say",
        arguments: [
            (DemandPolicy.unlimited, "1-2-3-4|"), (.oneByOne, "1-2-3-4|"), (.upTo(2), "1-2-"),
            (.bursts([1, 2]), "1-2-3-4|"), (.upTo(0), ""),
        ])
    func policies(_ policy: DemandPolicy, _ expected: String) throws {
        let publisher = TestPublisher<String>(.cold, "1-2-3-4|", on: scheduler)
        let subscriber = RecordingSubscriber<String, TestFailure>(demand: policy, clock: scheduler)
        publisher.subscribe(subscriber)
        scheduler.run()
        #expect(subscriber.violations.isEmpty)
        #expect(subscriber.values == (try Timeline<String>(expected)).values)
    }

    @Test("Demand policies begin with what they say, and none below zero")
    func beginnings() {
        let policies: [(DemandPolicy, Subscribers.Demand)] = [
            (.unlimited, .unlimited), (.oneByOne, .max(1)), (.bursts([]), .unlimited), (.bursts([0, 1, 3]), .max(1)),
            (.upTo(0), .none), (.upTo(-1), .none), (.upTo(1), .max(1)), (.upTo(3), .max(3)), (.oneByOneUpTo(0), .none),
            (.oneByOneUpTo(-1), .none), (.oneByOneUpTo(3), .max(1)), (.late(1), .none),
            (.lateOneByOne(1), .none), (.resuming(2, at: 5), .max(2)), (.resuming(-1, at: 5), .none),
        ]
        for (policy, demand) in policies { #expect(policy.initial == demand, "\(policy)") }
    }
}

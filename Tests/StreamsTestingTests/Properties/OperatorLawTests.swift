import Streams
import StreamsTesting
import Synchronization
import Testing

/// Leaves out odd values, and asks for none in their place.
private struct Forgetful<Upstream: Publisher<Int, TestFailure>>: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        upstream.subscribe(Inner(downstream: subscriber))
    }

    private struct Inner<Downstream: Subscriber<Int, TestFailure>>: Subscriber {
        let downstream: Downstream
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
        func receive(_ input: Int) -> Subscribers.Demand { input % 2 == 0 ? downstream.receive(input) : .none }
        func receive(completion: Subscribers.Completion<TestFailure>) { downstream.receive(completion: completion) }
    }
}

/// Leaves out what comes before its upstream's subscription is done.
private struct Dozing: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    private final class Wakefulness: Sendable {
        let isAwake = Atomic(false)
    }

    let upstream: AnyPublisher<Int, TestFailure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let wakefulness = Wakefulness()
        upstream.filter { _ in wakefulness.isAwake.load(ordering: .acquiring) }.receive(subscriber: subscriber)
        wakefulness.isAwake.store(true, ordering: .releasing)
    }
}

@Suite("What holds of every operator, whatever its model")
struct OperatorLawTests {
    @Test("Each trait is one of its own")
    func traits() {
        let traits: [OperatorTraits] = [
            .dependsOnDemand, .hotOnly, .coldOnly, .bursty, .keepsUpstream, .deliversOnScheduler,
            .hasUnseenTimers, .asksAhead,
        ]
        for (index, trait) in traits.enumerated() {
            #expect(!trait.isEmpty)
            for other in traits[(index + 1)...] { #expect(trait.isDisjoint(with: other)) }
        }
    }

    @Test("An operator that waits for a value of which it has requested none is found out")
    func hunger() throws {
        let model = OperatorModel<Int>.values { values, end in .init(values.filter { $0 % 2 == 0 }, end) }
        // Other values under limited demand are allowed here: that it stalls is found all the same.
        let property = OperatorProperty("forgetful", .dependsOnDemand, model: model) { Forgetful(upstream: $0) }
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 300) }
        #expect(failure.reason.contains("none is requested of any upstream"), "\(failure)")
        try OperatorProperty("filter", .dependsOnDemand, model: model) { $0.filter { $0 % 2 == 0 } }.check(cases: 300)
    }

    @Test("An operator whose timer outlives its subscriber is found out")
    func timers() throws {
        let property = OperatorProperty<Int>(
            "late", inputs: 1, model: .values { values, end in .init(values, end) },
            make: { upstreams, scheduler in
                upstreams[0].handleEvents(receiveSubscription: { _ in
                    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(600))) {}
                })
            })
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 50) }
        #expect(failure.reason.contains("A timer still runs"), "\(failure)")
    }

    @Test("An operator that loses what comes while it subscribes is found out")
    func dozing() throws {
        let model = OperatorModel<Int>.values { values, end in .init(values, end) }
        let property = OperatorProperty("dozing", model: model) { Dozing(upstream: $0) }
        #expect(throws: PropertyFailure.self) { try property.check(cases: 500) }
    }

    @Test("An end that comes outside of the scheduler, though the values do not, is found out")
    func endElsewhere() throws {
        let property = DeliveryProperty<Int>("ending elsewhere") { upstream, scheduler in
            upstream.receive(on: scheduler).prefix(untilOutputFrom: upstream.count())
        }
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 200) }
        #expect(failure.reason.contains("brought a signal outside of the scheduler"), "\(failure)")
    }

    @Test("Wrong values are found out where no more of them are requested, too")
    func wrongValues() throws {
        let model = OperatorModel<Int>.values { values, end in .init(values, end) }
        let property = OperatorProperty("adding", model: model) { $0.map { $0 + 1 } }
        var choices = Choices(seed: 1)
        var scenario = property.scenarios.draw(&choices)
        scenario.inputs = [Timeline((1...3).map { .init(at: .milliseconds($0), .value($0)) })]
        (scenario.kind, scenario.demand, scenario.cancelAt) = (.cold, .upTo(2), nil)
        #expect(throws: Disproof.self) { try property.check(scenario) }
    }
}

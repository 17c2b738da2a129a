import Streams
import Synchronization
import Testing

@testable import StreamsTesting

@Suite("What an operator does when the demand ends midway")
struct EndingDemandTests {
    private static let identity = OperatorModel<Int>.values { values, end in .init(values, end) }

    private static func property(_ fault: DemandCounter.Fault) -> OperatorProperty<Int> {
        OperatorProperty("counting", model: identity) { DemandCounting(upstream: $0, fault: fault) }
    }

    @Test("An operator that asks for more than is wanted is found out")
    func ahead() throws {
        let property = OperatorProperty("buffer", model: Self.identity) { $0.onBackpressureBuffer() }
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 500) }
        #expect(failure.reason.contains("Nothing is wanted at"), "\(failure)")
        try property.adding(.asksAhead).check(cases: 500)
    }

    @Test("An operator that takes the last value that was requested for the end is found out")
    func endsEarly() throws {
        let failure = try #require(throws: PropertyFailure.self) {
            try Self.property(.endsWithDemand).check(cases: 500)
        }
        #expect(
            failure.counterexample.contains("demand upTo") || failure.counterexample.contains("demand oneByOneUpTo"))
        #expect(throws: PropertyFailure.self) {
            try Self.property(.endsWithDemand).keeping(QueueModel()).check(cases: 500)
        }
    }

    @Test("An end in the place of values that were not requested is not the model's, though both finish")
    func endsInPlaceOfValues() throws {
        let scenario = OperatorScenario(inputs: ["1-2|"], kind: .cold, demand: .upTo(1), cancelAt: nil)
        try Self.property(.none).check(scenario)
        #expect(throws: Disproof.self) { try Self.property(.endsWithDemand).check(scenario) }
    }

    @Test("An operator that keeps the contract passes")
    func none() throws {
        try Self.property(.none).check(cases: 500)
        try Self.property(.none).keeping(QueueModel()).check(cases: 500)
    }

    @Test("Every value that is requested before the rest is compared, under any interleaving")
    func interleavings() throws {
        func check(_ fault: DemandCounter.Fault) throws {
            try InterleavingProperty<Int>("counting", inputs: 1, model: Self.identity) {
                DemandCounting(upstream: $0[0], fault: fault)
            }.check(cases: 500)
        }
        try check(.none)
        let failure = try #require(throws: PropertyFailure.self) { try check(.dawdles) }
        #expect(failure.reason.contains("before the rest was requested"), "\(failure)")
    }

    @Test("An operator that asks for more than is wanted is found out under any interleaving")
    func aheadInAnyOrder() throws {
        func property(asksAhead: Bool) -> InterleavingProperty<Int> {
            InterleavingProperty("buffer", inputs: 1, model: Self.identity, asksAhead: asksAhead) {
                $0[0].onBackpressureBuffer()
            }
        }
        let failure = try #require(throws: PropertyFailure.self) { try property(asksAhead: false).check(cases: 500) }
        #expect(failure.reason.contains("nothing is wanted"), "\(failure)")
        try property(asksAhead: true).check(cases: 500)
    }

    @Test("A queue whose end needs demand keeps it until something is requested")
    func queue() {
        var queue = QueueModel<Int>(endNeedsDemand: true)
        queue.send(1)
        queue.send(.finished)
        #expect(queue.end == nil)
        queue.request(.max(1))
        #expect(queue.values == [1])
        #expect(queue.end == nil)
        queue.request(.max(1))
        #expect(queue.end == .finished)
    }

    @Test("A policy says how much is requested in all, and when the rest is")
    func policies() {
        typealias Late = (milliseconds: Int, demand: Subscribers.Demand)
        let policies: [(DemandPolicy, limit: Int?, resumption: Late?, first: Int?, returned: [Int?])] = [
            (.unlimited, nil, nil, nil, [0, 0]), (.oneByOne, nil, nil, 1, [1, 1]),
            (.late(3), nil, (3, .unlimited), 0, [0, 0]), (.lateOneByOne(3), nil, (3, .max(1)), 0, [0]),
            (.bursts([2, 1]), nil, nil, 2, [0, 1, nil, 0]), (.upTo(2), 2, nil, 2, [0, 0]), (.upTo(-1), 0, nil, 0, [0]),
            (.oneByOneUpTo(2), 2, nil, 1, [1, 0, 0]), (.oneByOneUpTo(0), 0, nil, 0, [0]),
            (.resuming(2, at: 5), nil, (5, .unlimited), 2, [0, 0, 0]),
        ]
        for (policy, limit, resumption, first, returned) in policies {
            #expect(policy.limit == limit, "\(policy)")
            #expect(policy.resumption?.milliseconds == resumption?.milliseconds, "\(policy)")
            #expect(policy.resumption?.demand == resumption?.demand, "\(policy)")
            let upstream = TestPublisher<Int>(.cold)
            upstream.subscribe(RecordingSubscriber<Int, TestFailure>(demand: policy))
            for value in returned.indices { upstream.send(value) }
            let expected =
                [first].filter { $0 != 0 } + returned.prefix(upstream.windows[0].delivered).filter { $0 != 0 }
            #expect(upstream.windows[0].requests.map(\.demand.max) == expected, "\(policy)")
        }
    }
}

/// Passes everything on, and keeps count of the demand, with a fault.
private struct DemandCounting: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: AnyPublisher<Int, TestFailure>
    let fault: DemandCounter.Fault

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        upstream.subscribe(DemandCounter(AnySubscriber(subscriber), fault))
    }
}

private final class DemandCounter: Subscriber, Subscription {
    enum Fault {
        case none
        /// Finishes when the demand is used up.
        case endsWithDemand
        /// Delivers a value when the next request comes, or the end.
        case dawdles
    }

    private struct State {
        var upstream: (any Subscription)?
        var downstream: AnySubscriber<Int, TestFailure>?
        var demand = Subscribers.Demand.none
        var held: [Int] = []
    }

    private let fault: Fault
    private let state: Mutex<State>

    init(_ downstream: AnySubscriber<Int, TestFailure>, _ fault: Fault) {
        self.fault = fault
        state = Mutex(State(downstream: downstream))
    }

    func receive(subscription: any Subscription) {
        let downstream = state.withLock { state in
            state.upstream = subscription
            return state.downstream
        }
        downstream?.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        if fault == .dawdles {
            state.withLock { $0.held.append(input) }
            return .none
        }
        guard let downstream = state.withLock({ $0.downstream }) else { return .none }
        let more = downstream.receive(input)
        let isUsedUp = state.withLock { state in
            state.demand += more
            if state.demand > .none { state.demand -= 1 }
            return state.demand == .none && state.upstream != nil
        }
        if fault == .endsWithDemand, isUsedUp {
            cancel()
            downstream.receive(completion: .finished)
        }
        return more
    }

    private func deliverHeld() {
        let (held, downstream) = state.withLock { state in
            defer { state.held = [] }
            return (state.held, state.downstream)
        }
        for value in held { _ = downstream?.receive(value) }
    }

    func receive(completion: Subscribers.Completion<TestFailure>) {
        deliverHeld()
        let left = state.withLock { state in
            defer { (state.upstream, state.downstream) = (nil, nil) }
            return (state.upstream, state.downstream)
        }
        left.1?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state in
            state.demand += demand
            return state.upstream
        }
        upstream?.request(demand)
        deliverHeld()
    }

    func cancel() {
        let left = state.withLock { state in
            defer { (state.upstream, state.downstream) = (nil, nil) }
            return (state.upstream, state.downstream)
        }
        left.0?.cancel()
    }
}

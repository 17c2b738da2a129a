import Streams
import StreamsTesting
import Testing

@Suite("What an operator does with what nobody has requested")
struct ScarceDemandTests {
    private static let identity = OperatorModel<Int>.values { values, end in .init(values, end) }

    @Test("An operator that keeps what it should drop is found out, by scenarios and by interleavings")
    func keepsTooMuch() throws {
        let property = OperatorProperty("newest", [.dependsOnDemand, .asksAhead], model: Self.identity) {
            $0.onBackpressureBuffer()
        }
        // Of what comes under limited demand nothing is said.
        try property.check(cases: 200)
        let newest = QueueModel<Int>(keeping: 1, .dropOldest)
        #expect(throws: PropertyFailure.self) { try property.keeping(newest).check(cases: 200) }
        #expect(throws: PropertyFailure.self) {
            try InterleavingProperty("newest", inputs: 1, model: Self.identity, queue: newest, asksAhead: true) {
                $0[0].onBackpressureBuffer()
            }.check(cases: 200)
        }
    }

    @Test("A value that survives a failure is found out, though the operator delivers on a scheduler")
    func survivesFailure() throws {
        let model = OperatorModel<Int> { inputs in
            Timeline(inputs[0].events.map { .init(at: $0.time.advanced(by: .microseconds(2_500)), $0.signal) })
        }
        func property(_ queue: QueueModel<Int>) -> InterleavingProperty<Int> {
            InterleavingProperty("delay", inputs: 1, model: model, queue: queue, isTimed: true, asksAhead: true) {
                $0[0].delay(for: .microseconds(2_500), scheduler: $1).onBackpressureBuffer()
            }
        }
        #expect(throws: PropertyFailure.self) { try property(QueueModel(overtaking: .failure)).check(cases: 5_000) }
        try property(QueueModel()).check(cases: 300)
    }

    @Test(
        "Of one upstream no value may come behind a failure that overtakes it: no other one was still to be cancelled")
    func waitingFailure() throws {
        let property = OperatorProperty("buffer", [.dependsOnDemand, .asksAhead], model: Self.identity) {
            $0.onBackpressureBuffer()
        }
        var choices = Choices(seed: 1)
        var scenario = property.scenarios.draw(&choices)
        scenario.inputs = [
            Timeline([
                .init(at: .milliseconds(1), .value(0)), .init(at: .milliseconds(2), .value(1)),
                .init(at: .milliseconds(3), .failure("✕")),
            ])
        ]
        (scenario.kind, scenario.demand, scenario.cancelAt) = (.cold, .late(10), nil)
        try property.keeping(QueueModel()).check(scenario)
        #expect(throws: Disproof.self) {
            try property.keeping(QueueModel(overtaking: .failure)).check(scenario)
        }
    }

    @Test("An operator that loses returned demand is found out by its end, whatever is said of its values")
    func losesReturnedDemand() throws {
        let property = OperatorProperty("losing", [.dependsOnDemand, .asksAhead], model: Self.identity) {
            LosingDemand(upstream: $0.onBackpressureBuffer())
        }
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 200) }
        #expect(failure.reason.contains("It never ends"), "\(failure)")
    }

    @Test("A value that comes too late is found out")
    func tooLate() throws {
        let property = InterleavingProperty<Int>(
            "merge", inputs: 2,
            allows: { value, signals in
                // Nothing of the first publisher is to come behind a value of the second.
                value >= 10 || !signals.contains { if case (1, .value) = $0 { true } else { false } }
            }, asksAhead: true
        ) { $0[0].merge(with: $0[1]) }
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 200) }
        #expect(failure.reason.contains("came too late"))
    }

    @Test(
        "A cancel inside a value that is requested while a failure waits is as well as the failure",
        arguments: [3, 4, 5, nil])
    func cancelledLate(cancelAt: Int?) throws {
        let model = OperatorModel<Int> { inputs in
            var timeline = Timeline<Int>()
            for event in inputs.flatMap(\.events).sorted(by: { $0.time < $1.time }) where timeline.end == nil {
                if event.signal != .finished { timeline.append(event.signal, at: event.time) }
            }
            return timeline
        }
        let property = OperatorProperty(
            "merge", inputs: 4, [.dependsOnDemand, .asksAhead], model: model,
            make: { inputs, _ in inputs[0].merge(with: inputs[1], inputs[2], inputs[3]) }
        ).keeping(QueueModel(overtaking: .failure))
        var choices = Choices(seed: 1)
        var scenario = property.scenarios.draw(&choices)
        scenario.inputs = [
            Timeline([.init(at: .milliseconds(2), .value(3))]),
            Timeline([
                .init(at: .zero, .value(0)), .init(at: .zero, .value(1)), .init(at: .zero, .failure("✕")),
            ]),
            Timeline([.init(at: .zero, .finished)]),
            Timeline([.init(at: .milliseconds(1), .value(2))]),
        ]
        scenario.kind = .cold
        scenario.demand = .lateOneByOne(3)
        scenario.cancelAt = cancelAt
        try property.check(scenario)
    }

    @Test("A queue drops what it keeps at an end that overtakes it")
    func queue() {
        for (overtaking, isKept) in [(QueueOvertaking.nothing, true), (.failure, true), (.anyEnd, false)] {
            var queue = QueueModel<Int>(overtaking: overtaking)
            queue.send(1)
            queue.send(.finished)
            queue.request(.unlimited)
            #expect(queue.values == (isKept ? [1] : []))
            #expect(queue.end == .finished)
        }
        var failing = QueueModel<Int>(overtaking: .failure)
        failing.send(1)
        failing.send(.failure)
        #expect(failing.end == .failure)
    }
}

/// Passes everything on, but for the demand that is returned for a value.
private struct LosingDemand<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
        upstream.subscribe(
            AnySubscriber<Upstream.Output, Upstream.Failure>(
                receiveSubscription: { subscriber.receive(subscription: $0) },
                receiveValue: { value in
                    _ = subscriber.receive(value)
                    return .none
                },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

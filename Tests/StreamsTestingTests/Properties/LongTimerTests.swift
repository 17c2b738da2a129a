import Streams
import Testing

@testable import StreamsTesting

/// Delivers the first value of a burst, and nothing more until no value has come for a time.
private func leading(
    _ quiet: VirtualTime.Stride, _ scheduler: VirtualTimeScheduler, reopening: Bool,
    _ upstream: AnyPublisher<Int, TestFailure>
) -> some Publisher<Int, TestFailure> {
    upstream.map { ($0, opens: true) }
        .merge(
            with: upstream.debounce(for: quiet, scheduler: scheduler).map { ($0, opens: false) }
        )
        .scan((isOpen: true, value: Int?.none)) { state, input in
            guard input.opens else { return (isOpen: reopening || state.isOpen, value: nil) }
            return (isOpen: false, value: state.isOpen ? input.0 : nil)
        }
        .compactMap(\.value)
}

@Suite("Operators whose timers are long")
struct LongTimerTests {
    private func property(_ milliseconds: Int, reopening: Bool) -> OperatorProperty<Int> {
        let quiet = VirtualTime.Stride.milliseconds(milliseconds)
        let model = OperatorModel<Int> { inputs in
            var timeline = Timeline<Int>()
            var last: VirtualTime?
            for event in inputs[0].events {
                guard case .value = event.signal else {
                    timeline.append(event.signal, at: event.time)
                    continue
                }
                if last.map({ $0.distance(to: event.time) > quiet }) ?? true {
                    timeline.append(event.signal, at: event.time)
                }
                last = event.time
            }
            return timeline
        }
        return OperatorProperty("leading", inputs: 1, [.hotOnly, .dependsOnDemand, .asksAhead], model: model) {
            leading(quiet, $1, reopening: reopening, $0[0])
        }
    }

    @Test("A right one holds, and its timer came to matter", arguments: [3, 300, 86_400_000])
    func right(milliseconds: Int) throws {
        let report = try property(milliseconds, reopening: true).check(cases: 500)
        #expect(report.labels["a timer that came to matter", default: 0] > 50)
    }

    @Test("One that never reopens is found out, however long its timer is", arguments: [3, 300, 86_400_000])
    func neverReopens(milliseconds: Int) throws {
        let property = property(milliseconds, reopening: false)
        let failure = try #require(throws: PropertyFailure.self) { try property.check(cases: 1_000) }
        #expect(failure.counterexample.split(separator: "\n").allSatisfy { $0.count < 60 }, "\(failure)")
    }

    @Test("A property in which no timer ever matters fails, as it shows nothing")
    func vacuous() throws {
        // The timer runs when the operator has nothing left to do with it.
        func property(_ traits: OperatorTraits) -> OperatorProperty<Int> {
            OperatorProperty(
                "late", inputs: 1, traits, model: .values { values, end in .init(values, end) },
                make: { upstreams, scheduler in
                    upstreams[0].handleEvents(receiveCompletion: { _ in
                        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(20))) {}
                    })
                })
        }
        let failure = try #require(throws: PropertyFailure.self) { try property([]).check(cases: 200) }
        #expect(failure.reason.contains("timers"))
        try property(.hasUnseenTimers).check(cases: 200)
    }

    @Test("A timer has come to matter where something happened as it ran, or after it")
    func mattering() {
        func matter(
            _ make:
                @escaping @Sendable (AnyPublisher<Int, TestFailure>, VirtualTimeScheduler) -> any Publisher<
                    Int, TestFailure
                >
        ) -> Bool {
            let property = OperatorProperty<Int>(
                "timed", inputs: 1, model: .values { values, end in .init(values, end) },
                make: { make($0[0], $1).eraseToAnyPublisher() })
            var choices = Choices(seed: 1)
            var scenario = property.scenarios.draw(&choices)
            scenario.inputs = [Timeline([.init(at: .milliseconds(1), .value(1))])]
            (scenario.kind, scenario.demand, scenario.cancelAt) = (.hot, .unlimited, nil)
            return OperatorRun(property, scenario).timersMattered
        }
        #expect(matter { $0.delay(for: .milliseconds(5), scheduler: $1) })
        #expect(
            !matter { upstream, scheduler in
                upstream.handleEvents(receiveOutput: { _ in
                    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(5))) {}
                })
            })
    }
}

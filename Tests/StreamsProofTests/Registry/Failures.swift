import Streams
import StreamsTesting

/// Everything passes.
let identity = OperatorModel<Int>.values { values, end in .init(values, end) }

extension Timeline where Value == Int {
    /// The same, begun at another moment.
    func shifted(by time: VirtualTime) -> Timeline {
        Timeline(events.map { Event(at: time.advanced(by: VirtualTime.zero.distance(to: $0.time)), $0.signal) })
    }

    /// Its values, without its end.
    var open: Timeline { Timeline(events.filter { !$0.signal.isEnd }) }

    /// When it ends.
    var endTime: VirtualTime? { events.last { $0.signal.isEnd }?.time }

    static func + (lhs: Timeline, rhs: Timeline) -> Timeline { Timeline(lhs.events + rhs.events) }
}

/// The model of operators that subscribe anew to a cold upstream, up to so many times in all, a delay after an end that
/// says so.
private func again(
    _ times: Int, after delay: @escaping @Sendable (_ attempt: Int) -> Int = { _ in 0 },
    _ isWanted: @escaping @Sendable (ModelEnd) -> Bool
) -> OperatorModel<Int> {
    OperatorModel { inputs in
        var timeline = Timeline<Int>()
        var start = VirtualTime.zero
        for attempt in 1...times {
            let turn = inputs[0].shifted(by: start)
            guard attempt < times, let end = turn.end?.modelEnd, isWanted(end), let time = turn.endTime else {
                return timeline + turn
            }
            timeline = timeline + turn.open
            start = time.advanced(by: .milliseconds(delay(attempt)))
        }
        return timeline
    }
}

extension Registry {
    /// Operators about failures and ends.
    static let failures: [Entry] = [
        Entry(
            "mapError",
            .init(
                "mapError",
                model: .values { values, end in .init(values, end == .failure ? .failed("mapped") : end) },
                make: { $0.mapError { _ in TestFailure("mapped") } })),
        Entry(
            "replaceError setFailureType",
            .init(
                "replaceError",
                model: .values { values, end in
                    end == .failure ? .init(values + [9], .finished) : .init(values, end)
                },
                make: { $0.replaceError(with: 9).setFailureType(to: TestFailure.self) })),
        Entry(
            "replaceEmpty",
            .init(
                "replaceEmpty",
                model: .values { values, end in .init(values.isEmpty && end == .finished ? [9] : values, end) },
                make: { $0.replaceEmpty(with: 9) })),
        Entry(
            "catch",
            .init(
                "catch with values",
                model: .values { values, end in
                    end == .failure ? .init(values + [7, 8], .finished) : .init(values, end)
                },
                make: { $0.catch { _ in [7, 8].publisher } })),
        Entry(
            "tryCatch",
            .init(
                "tryCatch that throws",
                model: .values { values, end in .init(values, end == .failure ? .failed("thrown") : end) },
                make: { $0.tryCatch { _ -> Just<Int> in throw TestFailure("thrown") } })),
        Entry(
            "assertNoFailure",
            .init(
                "assertNoFailure", model: .values { values, end in .init(values, end.map { _ in .finished }) },
                make: {
                    $0.catch { _ in Empty() }.setFailureType(to: TestFailure.self).assertNoFailure()
                })),
        Entry("retry", .init("retry", .coldOnly, model: again(3) { $0 == .failure }, make: { $0.retry(2) })),
        Entry(
            "retry",
            .init(
                "retry with a back-off", inputs: 1, [.coldOnly, .dependsOnDemand],
                model: again(3, after: { 2 * $0 }) { $0 == .failure },
                make: { inputs, scheduler in
                    inputs[0].retry(
                        2, backOff: .linear(first: .milliseconds(2), step: .milliseconds(2)), scheduler: scheduler)
                })),
        Entry(
            "retryWhen",
            .init(
                "retryWhen", [.coldOnly, .dependsOnDemand],
                model: again(2) { $0 == .failure },
                make: { upstream in
                    upstream.retryWhen { failures in
                        failures.setFailureType(to: TestFailure.self).enumerated().tryMap { offset, failure in
                            if offset > 0 { throw failure }
                            return offset
                        }.mapError { ($0 as? TestFailure) ?? TestFailure("other") }
                    }
                })),
        Entry("repeat", .init("repeat", .coldOnly, model: again(3) { $0 == .finished }, make: { $0.repeat(3) })),
    ]
}

import Streams

extension OperatorProperty {
    /// Whether the values are those that were expected, or the first of them if no more were requested, and the end comes behind them.
    func isExpected(_ actual: Timeline<Output>, _ expected: Timeline<Output>, upTo limit: Int?) -> Bool {
        let count = expected.values.count
        guard let limit, count > limit || count == limit && expected.end != .cancelled else {
            return actual.values == expected.values && actual.end == expected.end
        }
        guard actual.values == Array(expected.values.prefix(limit)) else { return false }
        // Behind the last value that was requested there may be an end, which needs no demand, or a value, which nobody asks for.
        return actual.end == nil || count == limit && actual.end == expected.end
    }

    func compare(
        _ run: OperatorRun<Output>, keeping queue: QueueModel<Output>, _ scenario: OperatorScenario
    ) throws {
        let expected = run.log.outcome(model, queue)
        var values = expected.values
        var end = expected.end
        if let cancelAt = scenario.cancelAt, values.count >= cancelAt {
            values.removeSubrange(cancelAt...)
            end = nil
        }
        var actualEnd: ModelEnd?
        switch run.timeline.end {
        case .finished: actualEnd = .finished
        case .failure(let label): actualEnd = .failed(label)
        case .value, .cancelled, nil: break
        }
        // A cancel inside a value that came late leaves no failure to see, but all that was due before that value.
        let isCancelled = run.timeline.values.count == scenario.cancelAt && run.timeline.values.starts(with: values)
        guard
            run.timeline.values == values && actualEnd == end
                || run.log.isLate(run.timeline, isCancelled: isCancelled, model, queue)
        else {
            throw Disproof(
                """
                expected    \(values)\(end.map { ", \($0)" } ?? "")
                actual      \(run.timeline)
                (of what was delivered to it and requested of it, in that order)
                """)
        }
    }

    /// The output that the model expects of a scenario, cancel included. A hot upstream drops what the operator has not requested, as it
    /// should: there it is about what was left.
    func expectation(_ scenario: OperatorScenario, _ run: OperatorRun<Output>) -> Timeline<Output> {
        let isScarce = scenario.kind == .hot && scenario.demand != .unlimited
        let whole = model.timeline(isScarce ? run.delivered : scenario.inputs)
        guard let cancelAt = scenario.cancelAt, whole.values.count >= cancelAt else { return whole }
        var cut = Timeline<Output>()
        for event in whole.events {
            cut.append(event.signal, at: event.time)
            if cut.values.count == cancelAt {
                cut.append(.cancelled, at: event.time)
                break
            }
        }
        return cut
    }
}

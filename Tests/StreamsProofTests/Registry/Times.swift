import Streams
import StreamsTesting

/// A timeline in half milliseconds: what models of operators that know time work with. Signals come at whole ones, and
/// intervals that a signal could coincide with are odd, so that no order at the same moment has to be modelled.
private struct Clocked {
    typealias End = (time: Int, signal: Timeline<Int>.Signal)

    var values: [(time: Int, value: Int)] = []
    var end: End?

    init(_ timeline: Timeline<Int>) {
        for event in timeline.events {
            let time = event.time.nanoseconds / 500_000
            if case .value(let value) = event.signal {
                values.append((time, value))
            } else {
                end = (time, event.signal)
            }
        }
    }

    var endTime: Int { end?.time ?? .max }
    var hasFailed: Bool { if case .failure? = end?.signal { true } else { false } }
}

private func clocked<Output>(
    _ body: @escaping @Sendable (Clocked) -> (values: [(Int, Output)], end: Clocked.End?)
) -> OperatorModel<Output> {
    OperatorModel { inputs in
        let (values, end) = body(Clocked(inputs[0]))
        var timeline = Timeline<Output>()
        for (time, value) in values { timeline.append(.value(value), at: .halves(time)) }
        if let (time, signal) = end {
            switch signal {
            case .failure(let label): timeline.append(.failure(label), at: .halves(time))
            default: timeline.append(.finished, at: .halves(time))
            }
        }
        return timeline
    }
}

extension VirtualTime {
    fileprivate static func halves(_ halves: Int) -> VirtualTime { VirtualTime(nanoseconds: 500_000 * halves) }
}

extension VirtualTime.Stride {
    fileprivate static func halves(_ halves: Int) -> VirtualTime.Stride { .microseconds(500 * halves) }
}

private func debounceModel(_ quiet: Int, delivers: Bool) -> OperatorModel<Int> {
    clocked { input in
        var delivered: [(Int, Int)] = []
        for (index, (time, value)) in input.values.enumerated() {
            let next = index + 1 < input.values.count ? input.values[index + 1].time : .max
            if next > time + quiet, input.endTime > time + quiet { delivered.append((time + quiet, value)) }
        }
        if delivers, !input.hasFailed, let end = input.end, let last = input.values.last, end.time <= last.time + quiet
        {
            delivered.append((end.time, last.value))
        }
        return (delivered, input.end)
    }
}

private func throttleModel(_ interval: Int, latest: Bool) -> OperatorModel<Int> {
    clocked { input in
        var delivered: [(Int, Int)] = []
        var open = 0
        var waiting: Int?
        func flush(upTo time: Int) {
            if let value = waiting, open < time {
                delivered.append((open, value))
                waiting = nil
                open += interval
            }
        }
        for (time, value) in input.values {
            flush(upTo: time)
            if waiting == nil, time >= open {
                delivered.append((time, value))
                open = time + interval
            } else {
                waiting = latest ? value : waiting ?? value
            }
        }
        flush(upTo: input.endTime)
        guard let end = input.end else { return (delivered, nil) }
        guard let value = waiting else { return (delivered, end) }
        return (delivered + [(end.time, value)], end)
    }
}

private func timeoutModel(_ limit: Int) -> OperatorModel<Int> {
    clocked { input in
        var delivered: [(Int, Int)] = []
        var last = 0
        for (time, value) in input.values {
            if time > last + limit { return (delivered, (last + limit, .finished)) }
            delivered.append((time, value))
            last = time
        }
        return input.endTime > last + limit ? (delivered, (last + limit, .finished)) : (delivered, input.end)
    }
}

private func collectModel(every interval: Int, orCount count: Int) -> OperatorModel<[Int]> {
    clocked { input in
        var delivered: [(Int, [Int])] = []
        var gathered: [Int] = []
        var next = interval
        func tick(upTo time: Int) {
            while next < time, next < 100_000 {
                if !gathered.isEmpty { delivered.append((next, gathered)) }
                gathered = []
                next += interval
            }
        }
        for (time, value) in input.values {
            tick(upTo: time)
            gathered.append(value)
            if gathered.count == count {
                delivered.append((time, gathered))
                gathered = []
            }
        }
        tick(upTo: input.endTime)
        if !input.hasFailed, let end = input.end, !gathered.isEmpty { delivered.append((end.time, gathered)) }
        return (delivered, input.end)
    }
}

/// An operator of one upstream that knows time.
private func timed<P: Publisher>(
    _ name: String, _ model: OperatorModel<P.Output>, traits: OperatorTraits = .dependsOnDemand,
    _ make: @escaping @Sendable (Upstream, VirtualTimeScheduler) -> P
) -> OperatorProperty<P.Output> where P.Output: Equatable {
    OperatorProperty<P.Output>(name, inputs: 1, traits.union(.deliversOnScheduler), model: model) { make($0[0], $1) }
}

extension Registry {
    /// Operators that know time.
    static let times: [Entry] = [
        Entry(
            "debounce",
            timed("debounce", debounceModel(5, delivers: false)) { $0.debounce(for: .halves(5), scheduler: $1) },
            delivers: .onScheduler, except: .takesEverything, queue: .newestOvertaken),
        Entry(
            "debounce",
            timed("debounce, delivering at the finish", debounceModel(5, delivers: true)) {
                $0.debounce(for: .halves(5), scheduler: $1, atFinish: .deliver)
            }, delivers: .onScheduler, except: .takesEverything, queue: .newestOvertaken),
        Entry(
            "throttle",
            timed("throttle, latest", throttleModel(7, latest: true)) {
                $0.throttle(for: .halves(7), scheduler: $1, latest: true)
            }, delivers: .onScheduler, except: .takesEverything, queue: .newest, isExact: false),
        Entry(
            "throttle",
            timed("throttle, first", throttleModel(7, latest: false)) {
                $0.throttle(for: .halves(7), scheduler: $1, latest: false)
            }, delivers: .onScheduler, except: .takesEverything, queue: .newest, isExact: false),
        Entry(
            "delay",
            timed(
                "delay",
                clocked { input in
                    (
                        input.values.map { ($0.time + 6, $0.value) },
                        input.end.map { (time: $0.time + 6, signal: $0.signal) }
                    )
                }, traits: .bursty
            ) { $0.delay(for: .milliseconds(3), scheduler: $1) }, delivers: .onScheduler),
        Entry(
            "delay",
            timed("delay by nothing", identity, traits: .bursty) { $0.delay(for: .zero, scheduler: $1) },
            delivers: .onScheduler),
        Entry(
            "timeout", timed("timeout", timeoutModel(7)) { $0.timeout(.halves(7), scheduler: $1) },
            // The time that the subscriber takes for a value counts, and here the clock moves meanwhile.
            delivers: .withUpstream, isExact: false),
        Entry(
            "measureInterval",
            timed(
                "measureInterval",
                clocked { input in
                    let times = [0] + input.values.map(\.time)
                    return (zip(times, times.dropFirst()).map { ($1, $1 - $0) }, input.end)
                }, traits: [.dependsOnDemand, .bursty]
            ) { $0.measureInterval(using: $1).map { $0.magnitude / 500_000 } }, delivers: .withUpstream, queue: nil),
        Entry(
            "collect",
            timed("collect(.byTime)", collectModel(every: 5, orCount: .max)) {
                $0.collect(.byTime($1, .halves(5)))
            }, delivers: .onScheduler, except: .takesEverything, queue: nil),
        Entry(
            "collect",
            timed(
                "collect(.byTimeOrCount)", collectModel(every: 9, orCount: 2), traits: [.dependsOnDemand, .asksAhead]
            ) {
                $0.collect(.byTimeOrCount($1, .halves(9), 2))
            }, delivers: .onScheduler, queue: nil),
        Entry(
            "sample",
            timed(
                "sample(every:)",
                clocked { input in
                    var delivered: [(Int, Int)] = []
                    for tick in stride(from: 5, to: min(input.endTime, 1_001), by: 5) {
                        let last = input.values.last { $0.time <= tick }
                        if let last, last.time > tick - 5 || tick == 5 {
                            delivered.append((tick, last.value))
                        }
                    }
                    return (delivered, input.end)
                }
            ) { $0.sample(every: .halves(5), scheduler: $1) }, delivers: .onScheduler, except: .takesEverything,
            queue: .newestOvertaken),
        Entry(
            "receive",
            timed("receive(on:)", identity, traits: .bursty) { $0.receive(on: $1) }, delivers: .onScheduler,
            // Nobody moves the clock there: what is scheduled stays and holds the subscriber. The immediate forms are
            // checked in `flows`.
            except: [.subscriberIsReleased, .subscriptionIsReleased]),
        Entry(
            "subscribe",
            timed("subscribe(on:)", identity, traits: .bursty) { $0.subscribe(on: $1) }, delivers: .withUpstream,
            except: [.subscriberIsReleased, .subscriptionIsReleased]),
    ]
}

import Streams
import Synchronization

/// One run of an interleaving, and what was wrong with it.
struct InterleavingRun<Output: Equatable & Sendable>: Sendable {
    let plan: InterleavingPlan
    let trace: String
    let problem: String?

    init(_ property: InterleavingProperty<Output>, _ plan: InterleavingPlan, _ interleaver: Interleaver) {
        let scheduler = VirtualTimeScheduler()
        let log = InterleavingLog(inputs: property.inputs, clock: property.isTimed ? scheduler : nil)
        let upstreams = (0..<property.inputs).map { input in
            TestPublisher<Int>(
                plan.kind, onCallOut: { interleaver.pause() }, onSignal: { log.demand.note($0, of: input) })
        }
        weak var held: RecordingSubscriber<Output, any Error>?
        var problem: String?
        do {
            let subscriber = Self.subscriber(property, plan, log, interleaver)
            held = subscriber
            log.demand.request(plan.initial)
            property.make(upstreams.map { $0.eraseToAnyPublisher() }, scheduler).subscribe(subscriber)
            if plan.isFilledFirst {
                for input in upstreams.indices {
                    interleaver.run([Self.lane("\(input)", Self.values(plan, input), upstreams[input], log)])
                }
            }
            interleaver.run(Self.lanes(plan, upstreams, subscriber, scheduler, log))
            // Where the clock moves inside a delivery, what that holds up has no moment that a model could know.
            let isKnown = !property.isTimed || !interleaver.isNested
            func mismatch() -> String? {
                guard isKnown, upstreams.allSatisfy({ $0.windows.count <= 1 }) else { return nil }
                return Self.mismatch(property, subscriber, log)
            }
            // First with the demand that there was: it may have ended midway.
            scheduler.advance(by: .milliseconds(100))
            let early = mismatch().map { "before the rest was requested: \($0)" }
            let isIdle = !subscriber.wantsMore && !property.asksAhead
            let windows = upstreams.flatMap(\.windows).filter { $0.end == nil && $0.requested > .max($0.delivered) }
            let ahead =
                isIdle && !windows.isEmpty ? "nothing is wanted, but something is requested of an upstream" : nil
            log.tick(toWhole: false)
            if !log.isCancelled { Self.request(.unlimited, of: subscriber, log) }
            scheduler.advance(by: .milliseconds(100))
            problem =
                Self.breach(subscriber, log) ?? early ?? ahead ?? mismatch() ?? Self.loss(property, subscriber, log)
            subscriber.cancel()
            // Work that is still scheduled lets go of what it holds.
            scheduler.advance(by: .milliseconds(100))
        }
        if problem == nil, upstreams.contains(where: \.isOpen) { problem = "an upstream is still subscribed to" }
        if problem == nil, held != nil { problem = "the subscriber is still held after its cancel" }
        self.plan = plan
        trace = interleaver.trace
        self.problem = problem
    }

    private static func request(
        _ demand: Subscribers.Demand, of subscriber: RecordingSubscriber<Output, any Error>, _ log: InterleavingLog
    ) {
        log.demand.request(demand)
        subscriber.request(demand)
    }

    private static func subscriber(
        _ property: InterleavingProperty<Output>, _ plan: InterleavingPlan, _ log: InterleavingLog,
        _ interleaver: Interleaver
    ) -> RecordingSubscriber<Output, any Error> {
        RecordingSubscriber(
            initialDemand: plan.initial,
            demandForValue: { count in
                let more = Subscribers.Demand.max(plan.answer(to: count).returned)
                log.demand.deliver(returning: more)
                return more
            },
            onValue: { subscriber, value in
                log.noteSignal()
                if let allows = property.allows, !allows(value, log.demand.signals) { log.refuse("\(value)") }
                let more = plan.answer(to: subscriber.values.count).inside
                if more > 0 { request(.max(more), of: subscriber, log) }
                interleaver.pause()
            },
            onCompletion: {
                log.noteSignal()
                interleaver.pause()
            })
    }

    private static func lanes(
        _ plan: InterleavingPlan, _ upstreams: [TestPublisher<Int>],
        _ subscriber: RecordingSubscriber<Output, any Error>, _ scheduler: VirtualTimeScheduler, _ log: InterleavingLog
    ) -> [Interleaver.Lane] {
        var lanes = upstreams.enumerated().map { input, upstream in
            var signals = plan.isFilledFirst ? [] : values(plan, input)
            switch plan.ends[input] {
            case .none: break
            case .finished: signals.append(.finished)
            case .failed: signals.append(.failure("\(TestFailure())"))
            }
            return lane("\(input)", signals, upstream, log)
        }
        lanes.append(
            .init(
                "request",
                plan.requests.map { count in
                    {
                        log.tick(toWhole: false)
                        request(.max(count), of: subscriber, log)
                    }
                }))
        if plan.cancels {
            lanes.append(
                .init(
                    "cancel",
                    [
                        {
                            subscriber.cancel()
                            log.cancel()
                        }
                    ]))
        }
        lanes.append(
            .init("clock", plan.advances.map { span in { scheduler.advance(by: .milliseconds(span)) } }))
        return lanes
    }

    private static func values(_ plan: InterleavingPlan, _ input: Int) -> [Timeline<Int>.Signal] {
        plan.values[input].map { .value($0) }
    }

    private static func lane(
        _ name: String, _ signals: [Timeline<Int>.Signal], _ upstream: TestPublisher<Int>, _ log: InterleavingLog
    ) -> Interleaver.Lane {
        .init(
            name,
            signals.map { signal in
                {
                    log.tick(toWhole: true)
                    upstream.send(signal)
                }
            })
    }

    private static func breach(
        _ subscriber: RecordingSubscriber<Output, any Error>, _ log: InterleavingLog
    ) -> String? {
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        if log.isBroken { return "a signal came after cancel() had returned" }
        if let refused = log.refused { return "\(refused) came too late: \(log.signals)" }
        return nil
    }

    /// How what has come so far differs from what the model says; nil where it does not.
    private static func mismatch(
        _ property: InterleavingProperty<Output>, _ subscriber: RecordingSubscriber<Output, any Error>,
        _ log: InterleavingLog
    ) -> String? {
        guard let model = property.model,
            let problem = difference(from: log.demand.outcome(model, property.queue), subscriber, log),
            !log.demand.isLate(subscriber.timeline, isCancelled: log.isCancelled, model, property.queue)
        else { return nil }
        return problem
    }

    /// The values that were lost on the way, when everything has been requested; nil where none were.
    private static func loss(
        _ property: InterleavingProperty<Output>, _ subscriber: RecordingSubscriber<Output, any Error>,
        _ log: InterleavingLog
    ) -> String? {
        let values = subscriber.values
        let delivered = log.delivered
        if let count = property.count, !log.isCancelled, !log.hasFailed, values.count != count(delivered) {
            return "\(count(delivered)) values were to come of \(delivered); these came: \(values)"
        }
        return nil
    }

    /// How what came differs from what was expected; nil where it does not.
    private static func difference(
        from expected: QueueModel<Output>, _ subscriber: RecordingSubscriber<Output, any Error>, _ log: InterleavingLog
    ) -> String? {
        let values = subscriber.values
        let end: ModelEnd? =
            switch subscriber.completion {
            case .finished: .finished
            case .failure(let failure): .failed("\(failure)")
            case nil: nil
            }
        let isCutShort = log.isCancelled
        let isExpected =
            isCutShort ? expected.values.starts(with: values) : expected.values == values && expected.end == end
        if isExpected { return nil }
        return """
            expected \(expected.values), end \(String(describing: expected.end))\(isCutShort ? ", or the first of them" : "")
            actual   \(values), end \(String(describing: end))
            of       \(log.signals)
            """
    }
}

/// The events of a run, in their order.
private final class InterleavingLog: Sendable {
    private struct State: Sendable {
        var isCancelled = false
        var isBroken = false
        var refused: String?
    }

    /// The deliveries and requests.
    let demand: DemandLog
    private let inputs: Int
    private let clock: VirtualTimeScheduler?
    private let state = Mutex(State())

    init(inputs: Int, clock: VirtualTimeScheduler?) {
        self.inputs = inputs
        self.clock = clock
        demand = DemandLog(inputs: inputs, clock: clock)
    }

    /// The deliveries of the upstreams.
    var delivered: [[Int]] {
        var delivered = Array(repeating: [Int](), count: inputs)
        for (input, signal) in demand.signals {
            if case .value(let value) = signal { delivered[input].append(value) }
        }
        return delivered
    }

    var hasFailed: Bool { demand.signals.contains { if case .failure = $0.signal { true } else { false } } }

    /// The deliveries of the upstreams in words.
    var signals: String {
        demand.signals.map { "\($0.signal) of \($0.input)" }.joined(separator: ", ")
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether a signal came after the cancel had returned.
    var isBroken: Bool { state.withLock { $0.isBroken } }
    /// The first value that was not to come any more.
    var refused: String? { state.withLock { $0.refused } }

    /// Moves the clock to the next whole millisecond, for a signal, or the next quarter past one, for a request: between those at
    /// which timers run.
    func tick(toWhole: Bool) {
        guard let clock else { return }
        let millisecond = 1_000_000
        let offset = toWhole ? 0 : millisecond / 4
        var next: Int
        repeat {
            next = ((clock.now.nanoseconds - offset) / millisecond + 1) * millisecond + offset
            clock.advance(to: VirtualTime(nanoseconds: next - 1))
            // A value at the moment of a timer may come before it or after it.
            if clock.nextDue?.nanoseconds == next { clock.advance(to: VirtualTime(nanoseconds: next)) }
        } while clock.now.nanoseconds >= next
        clock.advance(to: VirtualTime(nanoseconds: next))
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func noteSignal() {
        state.withLock { state in
            if state.isCancelled { state.isBroken = true }
        }
    }

    func refuse(_ value: String) {
        state.withLock { $0.refused = $0.refused ?? value }
    }
}

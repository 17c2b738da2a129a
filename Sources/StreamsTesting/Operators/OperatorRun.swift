import Streams
import Synchronization

/// The behaviour of an operator in a scenario.
struct OperatorRun<Output: Equatable & Sendable> {
    private(set) var timeline = Timeline<Output>()
    private(set) var violations: [ContractViolation] = []
    /// The deliveries of the upstreams and the requests, in order.
    let log: DemandLog
    /// The deliveries of each upstream.
    private(set) var delivered: [Timeline<Int>]
    /// Whether no upstream had more than one subscriber.
    private(set) var sawUpstreamsOnce = true
    /// Which upstreams were neither cancelled nor at their end when the completion came.
    private(set) var wereOpenAtCompletion: [Int] = []
    /// Whether an upstream is still subscribed to after the end or the cancel.
    private(set) var isOpen = false
    /// Whether the subscriber is still held then.
    private(set) var isSubscriberHeld = false
    /// Whether work is still scheduled for later then.
    private(set) var hasTimerLeft = false
    /// The first moment at which a value was wanted, and nothing was to come of it: none was requested of any upstream that went on, and
    /// no timer ran.
    private(set) var stalled: VirtualTime?
    /// The first moment at which nothing was wanted, and something was requested of an upstream that went on.
    private(set) var askedAhead: VirtualTime?
    /// The spans of time for which the operator has scheduled work.
    let delays: Set<VirtualTime.Stride>
    /// Whether something happened at or after the first time that such work ran, so that it could be seen whether it did
    /// what it should.
    let timersMattered: Bool

    init(_ property: OperatorProperty<Output>, _ scenario: OperatorScenario) {
        let scheduler = VirtualTimeScheduler()
        let log = DemandLog(
            inputs: scenario.inputs.count, clock: property.traits.contains(.deliversOnScheduler) ? scheduler : nil)
        let deliveries = Mutex(scenario.inputs.map { _ in Timeline<Int>() })
        let upstreams = scenario.inputs.enumerated().map { index, input in
            TestPublisher(
                scenario.kind, input, on: scheduler, opensAtOnce: true,
                onSignal: { signal in
                    log.note(signal, of: index)
                    deliveries.withLock { $0[index].append(signal, at: scheduler.now) }
                })
        }
        let open = Mutex<[Int]>([])
        let stall = Mutex<VirtualTime?>(nil)
        let ahead = Mutex<VirtualTime?>(nil)
        let published = property.make(upstreams.map { $0.eraseToAnyPublisher() }, scheduler)
        weak var held: RecordingSubscriber<Output, any Error>?
        do {
            let subscriber = RecordingSubscriber<Output, any Error>(
                initialDemand: scenario.demand.initial,
                demandForValue: { count in
                    let more = scenario.demand.demand(after: count)
                    log.deliver(returning: more)
                    return more
                },
                clock: scheduler,
                onValue: { subscriber, _ in
                    if subscriber.values.count == scenario.cancelAt { subscriber.cancelInSignal() }
                },
                onCompletion: {
                    let left = upstreams.indices.filter { upstreams[$0].isOpen }
                    open.withLock { $0 = left }
                })
            held = subscriber
            log.request(scenario.demand.initial)
            published.subscribe(subscriber)
            if let (milliseconds, demand) = scenario.demand.resumption {
                // When all that its moment brings has come.
                scheduler.post(at: .milliseconds(milliseconds).advanced(by: .microseconds(125))) { [weak subscriber] in
                    log.request(demand)
                    subscriber?.request(demand)
                }
            }
            // Between the whole moments of the upstreams and the half ones of timers all that a moment brings has come.
            for moment in Set(scenario.inputs.flatMap(\.events).map(\.time)) {
                scheduler.post(at: moment.advanced(by: .microseconds(250))) { [weak subscriber] in
                    guard let subscriber else { return }
                    let isAsked = upstreams.contains(where: \.isAsked)
                    if !subscriber.wantsMore {
                        if isAsked { ahead.withLock { $0 = $0 ?? moment } }
                    } else if !scheduler.hasDelayedWork, upstreams.contains(where: \.isOpen), !isAsked {
                        stall.withLock { $0 = $0 ?? moment }
                    }
                }
            }
            // A cold upstream may be subscribed to again and again, and each timer may run once more at the end.
            let length = VirtualTime.zero.distance(to: scenario.lastMoment)
            scheduler.advance(by: (0..<10).reduce(property.horizon) { sum, _ in sum + length })
            timeline = subscriber.timeline
            if timeline.end == nil { subscriber.cancel() }
            hasTimerLeft = scheduler.hasDelayedWork
            // Work that is still scheduled lets go of what it holds.
            scheduler.advance(by: .milliseconds(100))
            violations = subscriber.violations
        }
        self.log = log
        delivered = deliveries.withLock { $0 }
        delays = scheduler.delays
        let firstRun = scheduler.firstDelayedRun
        timersMattered =
            timeline.events.contains { event in firstRun.map { event.time >= $0 } ?? false }
            || delivered.flatMap(\.events).contains { event in firstRun.map { event.time > $0 } ?? false }
        sawUpstreamsOnce = upstreams.allSatisfy { $0.windows.count <= 1 }
        wereOpenAtCompletion = open.withLock { $0 }
        stalled = stall.withLock { $0 }
        askedAhead = ahead.withLock { $0 }
        isOpen = upstreams.contains(where: \.isOpen)
        isSubscriberHeld = held != nil
        withExtendedLifetime((upstreams, published)) {}
    }
}

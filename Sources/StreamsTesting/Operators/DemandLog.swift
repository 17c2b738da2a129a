import Streams
import Synchronization

/// The signals of each upstream and the requests, in the order in which they came: all that the output of an
/// operator follows from.
final class DemandLog: Sendable {
    private enum Event: Sendable {
        case signal(Timeline<Int>.Signal, of: Int)
        case request(Subscribers.Demand)
        /// A value has been delivered, and the subscriber has returned.
        case delivered
    }

    private let inputs: Int
    private let clock: VirtualTimeScheduler?
    private let state = Mutex<[(time: VirtualTime, event: Event)]>([])

    /// - Parameter clock: The clock whose moments matter; nil where nothing but the order does.
    init(inputs: Int, clock: VirtualTimeScheduler? = nil) {
        self.inputs = inputs
        self.clock = clock
    }

    func note(_ signal: Timeline<Int>.Signal, of input: Int) {
        note(.signal(signal, of: input))
    }

    func request(_ demand: Subscribers.Demand) {
        if demand > .none { note(.request(demand)) }
    }

    /// A value has been delivered, and demand returned for it.
    func deliver(returning demand: Subscribers.Demand) {
        request(demand)
        note(.delivered)
    }

    private func note(_ event: Event) {
        let now = clock?.now
        state.withLock { state in state.append((now ?? .milliseconds(state.count + 1), event)) }
    }

    /// The signals in their order.
    var signals: [(input: Int, signal: Timeline<Int>.Signal)] {
        state.withLock { state in
            state.compactMap { if case .signal(let signal, let input) = $0.event { (input, signal) } else { nil } }
        }
    }

    /// Whether the stream has ended with a failure of one of several upstreams, or was about to when that was cancelled, and has
    /// delivered all that had been requested by then, and beyond that no more than would have come without the failure: while it is on its
    /// way, and the other upstreams are cancelled one by one, they may still deliver, and what waits may be requested.
    func isLate<Output: Equatable>(
        _ timeline: Timeline<Output>, isCancelled: Bool = false, _ model: OperatorModel<Output>,
        _ queue: QueueModel<Output>
    ) -> Bool {
        guard inputs > 1, queue.overtaking != .nothing else { return false }
        switch timeline.end {
        case .failure(let label)?:
            guard signals.contains(where: { if case .failure(label) = $0.signal { true } else { false } })
            else { return false }
        case .cancelled? where isCancelled, nil where isCancelled: break
        default: return false
        }
        let values = timeline.values
        guard isCancelled || values.starts(with: outcome(model, queue).values) else { return false }
        let signals = signals
        let first = signals.firstIndex { if case .failure = $0.signal { true } else { false } } ?? signals.count
        return (first...signals.count).contains {
            outcome(model, queue, unfailingUntil: $0).values.starts(with: values)
        }
    }

    /// The output to expect: the model's, through the queue.
    ///
    /// Of several things at one moment the output comes first, and what is requested for it then.
    ///
    /// - Parameter end: The number of signals that count, without their failures; nil for all, with them.
    func outcome<Output>(
        _ model: OperatorModel<Output>, _ queue: QueueModel<Output>, unfailingUntil end: Int? = nil
    ) -> QueueModel<Output> {
        let events = state.withLock { $0 }
        var count = 0
        var timelines = Array(repeating: Timeline<Int>(), count: inputs)
        for (time, event) in events {
            guard case .signal(let signal, let input) = event else { continue }
            count += 1
            if let end {
                if count > end { break }
                if case .failure = signal { continue }
            }
            timelines[input].append(signal, at: time)
        }
        var replay = Replay(queue, model.timeline(timelines).events)
        for (time, event) in events {
            replay.advance(until: time)
            switch event {
            case .signal: break
            case .request(let demand): replay.request(demand)
            case .delivered: replay.deliver()
            }
        }
        replay.advance(until: nil)
        return replay.queue
    }
}

/// The way of a model's output through a queue.
private struct Replay<Output: Sendable> {
    private(set) var queue: QueueModel<Output>
    /// The events that have yet to come.
    private var output: ArraySlice<Timeline<Output>.Event>
    /// The events that have come, and wait for the end of a delivery.
    private var waiting: ArraySlice<Timeline<Output>.Signal> = []
    private var delivered = 0

    init(_ queue: QueueModel<Output>, _ output: [Timeline<Output>.Event]) {
        self.queue = queue
        self.output = output[...]
    }

    mutating func advance(until time: VirtualTime?) {
        while let first = output.first, time.map({ first.time <= $0 }) ?? true {
            output.removeFirst()
            waiting.append(first.signal)
            settle()
        }
    }

    mutating func request(_ demand: Subscribers.Demand) {
        queue.request(demand)
    }

    mutating func deliver() {
        delivered += 1
        settle()
    }

    private mutating func settle() {
        while !waiting.isEmpty, !queue.waitsForDelivery || delivered >= queue.values.count {
            switch waiting.removeFirst() {
            case .value(let value): queue.send(value)
            case .finished, .cancelled: queue.send(.finished)
            case .failure(let label): queue.send(.failed(label))
            }
        }
    }
}

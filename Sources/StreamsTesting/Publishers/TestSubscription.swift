import Streams
import Synchronization

/// One subscriber's side of a test publisher: keeps to the contract, whoever sends and requests from within what.
final class TestSubscription<Output: Sendable>: Subscription {
    private struct State: Sendable {
        var downstream: AnySubscriber<Output, TestFailure>?
        var queue: [Timeline<Output>.Signal] = []
        var demand = Subscribers.Demand.none
        var isDelivering = false
        var window: SubscriptionWindow
    }

    private let state: Mutex<State>
    private let keeps: Bool
    private let clock: VirtualTimeScheduler?
    private let onCallOut: @Sendable () -> Void
    private let onSignal: @Sendable (Timeline<Output>.Signal) -> Void

    init(
        _ downstream: AnySubscriber<Output, TestFailure>, keeps: Bool, clock: VirtualTimeScheduler?,
        onCallOut: @escaping @Sendable () -> Void, onSignal: @escaping @Sendable (Timeline<Output>.Signal) -> Void
    ) {
        self.keeps = keeps
        self.clock = clock
        self.onCallOut = onCallOut
        self.onSignal = onSignal
        state = Mutex(State(downstream: downstream, window: SubscriptionWindow(start: clock?.now ?? .zero)))
    }

    var window: SubscriptionWindow { state.withLock { $0.window } }
    /// Whether it goes on.
    var isOpen: Bool { state.withLock { $0.downstream != nil } }
    /// Whether it goes on, and more has been requested than has come.
    var isAsked: Bool { state.withLock { $0.downstream != nil && $0.demand > .none } }

    private var now: VirtualTime { clock?.now ?? .zero }

    /// Takes a signal to deliver.
    func offer(_ signal: Timeline<Output>.Signal) {
        state.withLock { state in
            guard state.downstream != nil else { return }
            if !keeps, case .value = signal {
                let waiting = state.queue.filter { !$0.isEnd }.count
                if state.demand <= .max(waiting) {
                    state.window.dropped += 1
                    return
                }
            }
            state.queue.append(signal)
        }
        drain()
    }

    func request(_ demand: Subscribers.Demand) {
        let now = now
        let isOpen = state.withLock { state in
            guard state.downstream != nil else {
                state.window.lateRequests += 1
                return false
            }
            state.window.requests.append((now, demand))
            state.demand += demand
            return true
        }
        onCallOut()
        if isOpen { drain() }
    }

    func cancel() {
        let now = now
        let left = state.withLock { state in
            state.window.cancels += 1
            if state.downstream != nil { state.window.end = (now, .cancelled) }
            defer { state.queue = [] }
            return (state.downstream.take(), state.queue)
        }
        withExtendedLifetime(left) {}
        onCallOut()
    }

    private enum Step {
        case nothing
        case value(Output, AnySubscriber<Output, TestFailure>)
        /// With what was left in the queue, to be released outside the lock.
        case end(
            Subscribers.Completion<TestFailure>, AnySubscriber<Output, TestFailure>, left: [Timeline<Output>.Signal])
    }

    private func drain() {
        while true {
            switch next() {
            case .nothing: return
            case .value(let value, let downstream):
                onSignal(.value(value))
                let more = downstream.receive(value)
                let now = now
                state.withLock { state in
                    state.isDelivering = false
                    guard more > .none, state.downstream != nil else { return }
                    state.demand += more
                    state.window.requests.append((now, more))
                }
            case .end(let completion, let downstream, _):
                onSignal(Timeline.Signal(completion))
                downstream.receive(completion: completion)
                return
            }
        }
    }

    private func next() -> Step {
        let now = now
        return state.withLock { state in
            guard let downstream = state.downstream, !state.isDelivering, let first = state.queue.first else {
                return .nothing
            }
            let completion: Subscribers.Completion<TestFailure>
            switch first {
            case .value(let value):
                guard state.demand > .none else { return .nothing }
                state.demand -= 1
                state.queue.removeFirst()
                state.isDelivering = true
                state.window.delivered += 1
                return .value(value, downstream)
            case .finished, .cancelled: completion = .finished
            case .failure(let label): completion = .failure(TestFailure(label))
            }
            state.downstream = nil
            state.window.end = (now, .completed)
            defer { state.queue = [] }
            return .end(completion, downstream, left: state.queue)
        }
    }
}

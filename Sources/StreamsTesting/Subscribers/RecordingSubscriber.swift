import CThread
import Dispatch
import Streams
import Synchronization

/// A subscriber that records its signals, requests values as the test tells it, and notes every breach of the
/// publisher's contract instead of crashing on it.
///
/// Any thread may use it. It holds its subscription until the end or the cancel.
public final class RecordingSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    /// A breach of the contract by the publisher.
    public typealias Violation = ContractViolation

    private struct State: Sendable {
        var subscription: (any Subscription)?
        var monitor = ContractMonitor()
        var values: [Input] = []
        var timeline = Timeline<Input>()
        var threads: Set<UInt> = []
        var completion: Subscribers.Completion<Failure>?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let initialDemand: Subscribers.Demand
    private let demandForValue: @Sendable (_ count: Int) -> Subscribers.Demand
    private let onValue: @Sendable (RecordingSubscriber, Input) -> Void
    private let onCompletion: @Sendable () -> Void
    private let clock: VirtualTimeScheduler?
    private let ended = DispatchSemaphore(value: 0)

    /// Creates a subscriber with a demand.
    ///
    /// - Parameters:
    ///   - initialDemand: The demand that is requested when the subscription arrives.
    ///   - demandForValue: A closure that returns the further demand for a value of a number, counted from 1.
    ///   - clock: The scheduler whose time the timeline states; nil for none.
    ///   - onValue: A closure that is called inside each value signal, for instance to cancel or to request.
    ///   - onCompletion: A closure that is called inside the completion.
    public init(
        initialDemand: Subscribers.Demand = .unlimited,
        demandForValue: @escaping @Sendable (_ count: Int) -> Subscribers.Demand = { _ in .none },
        clock: VirtualTimeScheduler? = nil,
        onValue: @escaping @Sendable (RecordingSubscriber<Input, Failure>, Input) -> Void = { _, _ in },
        onCompletion: @escaping @Sendable () -> Void = {}
    ) {
        self.initialDemand = initialDemand
        self.demandForValue = demandForValue
        self.clock = clock
        self.onValue = onValue
        self.onCompletion = onCompletion
    }

    /// Creates a subscriber with a policy for its demand.
    ///
    /// - Parameters:
    ///   - demand: The way in which the subscriber requests values.
    ///   - count: The number of the value, counted from 1, inside which the subscriber cancels; nil for never.
    ///   - clock: The scheduler whose time the timeline states; nil for none.
    ///   - onValue: A closure that is called inside each value signal, for instance to cancel or to request.
    ///   - onCompletion: A closure that is called inside the completion.
    public convenience init(
        demand: DemandPolicy, cancellingAt count: Int? = nil, clock: VirtualTimeScheduler? = nil,
        onValue: @escaping @Sendable (RecordingSubscriber<Input, Failure>, Input) -> Void = { _, _ in },
        onCompletion: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            initialDemand: demand.initial, demandForValue: demand.demand(after:), clock: clock,
            onValue: { subscriber, value in
                onValue(subscriber, value)
                if let count, subscriber.values.count == count { subscriber.cancelInSignal() }
            }, onCompletion: onCompletion)
    }

    /// The values received so far.
    public var values: [Input] { state.withLock { $0.values } }
    /// The demand that has not been met yet.
    public var openDemand: Subscribers.Demand { state.withLock { $0.monitor.open } }
    /// Whether it has requested more than has come, and is neither over nor cancelled.
    var wantsMore: Bool {
        state.withLock { $0.subscription != nil && $0.monitor.open > .none }
    }
    /// The completion, once it has arrived.
    public var completion: Subscribers.Completion<Failure>? { state.withLock { $0.completion } }
    /// The signals with their moments of virtual time, and the cancel inside a signal.
    public var timeline: Timeline<Input> { state.withLock { $0.timeline } }
    /// The number of threads that signals have come on.
    public var threadCount: Int { state.withLock { $0.threads.count } }
    /// The publisher's breaches of the contract.
    public var violations: [Violation] { state.withLock { $0.monitor.violations } }
    /// A Boolean value that indicates whether the subscription has arrived.
    public var hasSubscription: Bool { state.withLock { $0.monitor.hasSubscription } }
    /// A Boolean value that indicates whether the stream has finished, as opposed to having failed or going on.
    public var isFinished: Bool { if case .finished? = completion { true } else { false } }

    /// Requests further values.
    ///
    /// - Parameter demand: The number of values that are requested.
    public func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.monitor.request(demand)
            return state.subscription
        }?.request(demand)
    }

    /// Cancels the subscription, now or when it arrives.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            defer { state.subscription = nil }
            return state.subscription
        }?.cancel()
    }

    /// Cancels from inside `onValue`: a signal that comes afterwards is a violation.
    public func cancelInSignal() {
        let now = clock?.now ?? .zero
        state.withLock { state in
            state.monitor.cancelInSignal()
            state.timeline.append(.cancelled, at: now)
        }
        cancel()
    }

    /// The subscription as it came: for calls that this class itself would spare the publisher.
    func takenSubscription() -> (any Subscription)? {
        state.withLock { $0.subscription }
    }

    /// Blocks the calling thread until the stream has ended.
    ///
    /// - Parameter seconds: The longest time to wait, in seconds.
    /// - Returns: `true` if it did within `seconds`, which is a safety net against a test that hangs, not a measure.
    public func waitForCompletion(seconds: Int = 300) -> Bool {
        guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else { return false }
        ended.signal()
        return true
    }

    public func receive(subscription: any Subscription) {
        let isWelcome = state.withLock { state in
            let isFirst = !state.monitor.hasSubscription
            state.monitor.receiveSubscription()
            if state.isCancelled || !isFirst { return false }
            state.subscription = subscription
            return true
        }
        guard isWelcome else { return subscription.cancel() }
        if initialDemand > .none { request(initialDemand) }
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
        let now = clock?.now ?? .zero
        let thread = current_thread()
        let count = state.withLock { state in
            state.monitor.beginValue()
            state.values.append(input)
            state.timeline.append(.value(input), at: now)
            state.threads.insert(thread)
            return state.values.count
        }
        onValue(self, input)
        let more = demandForValue(count)
        state.withLock { $0.monitor.endSignal(adding: more) }
        return more
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
        let now = clock?.now ?? .zero
        let thread = current_thread()
        let released = state.withLock { state in
            state.monitor.beginCompletion()
            state.timeline.append(Timeline<Input>.Signal(completion), at: now)
            state.threads.insert(thread)
            state.completion = state.completion ?? completion
            defer { state.subscription = nil }
            return state.subscription
        }
        withExtendedLifetime(released) {}
        onCompletion()
        state.withLock { $0.monitor.endSignal() }
        ended.signal()
    }
}

extension Timeline.Signal {
    /// A completion.
    init<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: self = .finished
        case .failure(let failure): self = .failure("\(failure)")
        }
    }
}

import Streams
import Synchronization

/// One subscriber of a load: any thread may send it events, which are delivered one at a time and within its demand; what it has not
/// requested is conflated (``Conflation``).
///
/// The functions that every event passes are compiled for images once more: generic, they take some microseconds for each.
final class LoadSubscription<Value: Sendable>: Subscription {
    private struct State: Sendable {
        var downstream: AnySubscriber<LoadEvent<Value>, LoadError>?
        var kept = Conflation<Value>()
        var demand = Subscribers.Demand.none
        /// Somebody delivers, and will look again before it ends. So it begins, until the subscription has been delivered.
        var isDelivering = true
        var interest: PreviewInterest?
        var isCounted = false

        /// Counts the subscriber among those that wait for a preview, or no longer.
        mutating func updateInterest(_ wantsPreviews: Bool) {
            let isWaiting = wantsPreviews && demand > .none && downstream != nil
            guard isWaiting != isCounted, let interest else { return }
            isCounted = isWaiting
            interest.count(isWaiting ? 1 : -1)
        }

        /// - Returns: whether the caller is to deliver.
        mutating func enter() -> Bool {
            guard !isDelivering, downstream != nil else { return false }
            isDelivering = true
            return true
        }

        mutating func next(
            _ wantsPreviews: Bool
        ) -> (AnySubscriber<LoadEvent<Value>, LoadError>, Conflation<Value>.Step)? {
            guard let downstream, let step = kept.next(hasDemand: demand > .none) else {
                isDelivering = false
                return nil
            }
            switch step {
            case .event: demand -= 1
            case .end: self.downstream = nil
            }
            updateInterest(wantsPreviews)
            return (downstream, step)
        }

        /// - Returns: what the caller releases outside the lock.
        mutating func close(
            _ wantsPreviews: Bool
        ) -> (AnySubscriber<LoadEvent<Value>, LoadError>?, Conflation<Value>) {
            defer {
                downstream = nil
                kept = Conflation()
                updateInterest(wantsPreviews)
                interest = nil
            }
            return (downstream, kept)
        }
    }

    private let state: Mutex<State>
    private let wantsPreviews: Bool
    /// The disposable that a cancel and the end cancel.
    private let resource = SingleAssignmentDisposable()

    init(_ downstream: AnySubscriber<LoadEvent<Value>, LoadError>, wantsPreviews: Bool) {
        state = Mutex(State(downstream: downstream))
        self.wantsPreviews = wantsPreviews
    }

    /// Delivers the subscription, then begins the load, unless it was cancelled.
    func start(_ begin: (LoadSubscription) -> Void) {
        state.withLock { $0.downstream }?.receive(subscription: self)
        drain()
        if !isCancelled { begin(self) }
    }

    /// Sets what a cancel and the end cancel. Call it before subscribing to anything: that may deliver, or go on for ever, inside the
    /// subscription.
    func bind(_ cancellable: any Cancellable) {
        resource.set(cancellable)
    }

    /// Whether the subscriber has left, or the load has ended.
    var isCancelled: Bool { state.withLock { $0.downstream == nil } }

    /// Whether a degraded value would be delivered now.
    var waitsForPreview: Bool {
        wantsPreviews && state.withLock { $0.demand > .none && $0.downstream != nil }
    }

    /// Begins with what others have got already; ``deliver()`` delivers it. Runs no code of a subscriber's: a lock may be held.
    ///
    /// - Parameter interest: where the subscriber counts whenever it waits for a preview.
    func join(with newest: Conflation<Value>, interest: PreviewInterest? = nil) {
        state.withLock { state in
            state.kept = newest.forJoiner(previews: wantsPreviews)
            state.interest = interest
            state.updateInterest(wantsPreviews)
        }
    }

    /// Delivers what there is and may be.
    func deliver() {
        if state.withLock({ $0.enter() }) { drain() }
    }

    @specialized(where Value == Image)
    func send(_ event: LoadEvent<Value>) {
        if case .degraded = event, !wantsPreviews { return }
        offer { $0.keep(event) }
    }

    func send(completion: Subscribers.Completion<LoadError>) {
        offer { $0.end(completion) }
    }

    @specialized(where Value == Image)
    func request(_ demand: Subscribers.Demand) {
        let isIdle = state.withLock { state in
            state.demand += demand
            state.updateInterest(wantsPreviews)
            return state.enter()
        }
        if isIdle { drain() }
    }

    func cancel() {
        let released = state.withLock { $0.close(wantsPreviews) }
        withExtendedLifetime(released) {}
        resource.cancel()
    }

    private func offer(_ change: (inout Conflation<Value>) -> Void) {
        let (isIdle, replaced) = state.withLock { state -> (Bool, Conflation<Value>) in
            guard state.downstream != nil else { return (false, state.kept) }
            // Released outside the lock.
            let old = state.kept
            change(&state.kept)
            return (state.enter(), old)
        }
        withExtendedLifetime(replaced) {}
        if isIdle { drain() }
    }

    /// As the one who delivers.
    @specialized(where Value == Image)
    private func drain() {
        while let (downstream, step) = state.withLock({ $0.next(wantsPreviews) }) {
            switch step {
            case .event(let event):
                let more = downstream.receive(event)
                if more > .none {
                    state.withLock { state in
                        state.demand += more
                        state.updateInterest(wantsPreviews)
                    }
                }
            case .end(let completion):
                downstream.receive(completion: completion)
                resource.cancel()
                return
            }
        }
    }
}

/// A publisher of a load's events: the load is begun for each subscriber, whose demand conflates what it sends.
struct ConflatedEvents<Value: Sendable>: Publisher {
    typealias Output = LoadEvent<Value>
    typealias Failure = LoadError

    /// Whether degraded values are delivered.
    var previews = true
    /// Begins the load, and binds what a cancel and the end cancel.
    let begin: @Sendable (LoadSubscription<Value>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == LoadEvent<Value>, S.Failure == LoadError {
        LoadSubscription(AnySubscriber(subscriber), wantsPreviews: previews).start(begin)
    }
}

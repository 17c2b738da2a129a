import Streams
import Synchronization

/// A publisher that a test drives by hand, for one subscriber; it sends no more than was requested.
final class ScriptedSource<Output: Sendable>: Publisher, Subscription {
    typealias Failure = ScriptedError

    private struct State {
        var downstream: AnySubscriber<Output, ScriptedError>?
        var demand = Subscribers.Demand.none
        var isCancelled = false
        var isSubscribed = false
    }

    private let state = Mutex(State())

    var demand: Subscribers.Demand { state.withLock { $0.demand } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isSubscribed: Bool { state.withLock { $0.isSubscribed } }
    var isOpen: Bool { state.withLock { $0.downstream != nil } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == ScriptedError {
        state.withLock { state in
            state.downstream = AnySubscriber(subscriber)
            state.isSubscribed = true
        }
        subscriber.receive(subscription: self)
    }

    /// Sends a value, if it was asked for.
    @discardableResult
    func send(_ value: Output) -> Bool {
        let downstream = state.withLock { state -> AnySubscriber<Output, ScriptedError>? in
            guard state.demand > .none else { return nil }
            state.demand -= 1
            return state.downstream
        }
        guard let downstream else { return false }
        let more = downstream.receive(value)
        state.withLock { $0.demand += more }
        return true
    }

    func send(completion: Subscribers.Completion<ScriptedError>) {
        state.withLock { $0.downstream.take() }?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
    }

    func cancel() {
        let left = state.withLock { state in
            state.isCancelled = true
            return state.downstream.take()
        }
        withExtendedLifetime(left) {}
    }
}

struct ScriptedError: Error, Equatable {
    var code = 0
}

/// Records signals and notes each breach of the contract.
final class ContractRecorder<Input: Sendable, Failure: Error>: Subscriber {
    struct State {
        var subscription: (any Subscription)?
        var values: [Input] = []
        var completions: [Subscribers.Completion<Failure>] = []
        var requested = Subscribers.Demand.none
        var isCancelled = false
        var isInside = false
        var breaches: [String] = []
    }

    let state = Mutex(State())
    let initial: Subscribers.Demand
    let onSubscription: @Sendable (any Subscription) -> Void
    let onValue: @Sendable (Input) -> Subscribers.Demand

    init(
        initial: Subscribers.Demand = .none,
        onSubscription: @escaping @Sendable (any Subscription) -> Void = { _ in },
        onValue: @escaping @Sendable (Input) -> Subscribers.Demand = { _ in .none }
    ) {
        self.initial = initial
        self.onSubscription = onSubscription
        self.onValue = onValue
    }

    var values: [Input] { state.withLock { $0.values } }
    var completions: [Subscribers.Completion<Failure>] { state.withLock { $0.completions } }
    var breaches: [String] { state.withLock { $0.breaches } }
    var requested: Subscribers.Demand { state.withLock { $0.requested } }

    func receive(subscription: any Subscription) {
        state.withLock { $0.subscription = subscription }
        onSubscription(subscription)
        request(initial)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.withLock { state in
            if state.isInside { state.breaches.append("overlap") }
            if !state.completions.isEmpty { state.breaches.append("value after the end") }
            if state.isCancelled { state.breaches.append("value after cancel") }
            state.values.append(input)
            if Subscribers.Demand.max(state.values.count) > state.requested { state.breaches.append("beyond demand") }
            state.isInside = true
        }
        let more = onValue(input)
        state.withLock { state in
            state.requested += more
            state.isInside = false
        }
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        state.withLock { state in
            if state.isInside { state.breaches.append("overlap") }
            if state.isCancelled { state.breaches.append("end after cancel") }
            if !state.completions.isEmpty { state.breaches.append("second end") }
            state.completions.append(completion)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.requested += demand
            return state.subscription
        }?.request(demand)
    }

    func cancel() {
        let subscription = state.withLock { $0.subscription }
        subscription?.cancel()
        state.withLock { $0.isCancelled = true }
    }
}

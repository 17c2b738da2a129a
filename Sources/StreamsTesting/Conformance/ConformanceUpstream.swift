import Streams
import Synchronization

/// An upstream that does what a check tells it, within the contract or against it, and notes what it is asked.
final class ConformanceUpstream: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = TestFailure

    private struct State: Sendable {
        var downstreams: [AnySubscriber<Int, TestFailure>] = []
        var requested = Subscribers.Demand.none
        var cancels = 0
        var requests = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    var cancels: Int { state.withLock { $0.cancels } }
    var requests: Int { state.withLock { $0.requests } }
    var isSubscribed: Bool { state.withLock { !$0.downstreams.isEmpty } }
    /// Whether somebody waits for its signals.
    var isOpen: Bool { state.withLock { !$0.downstreams.isEmpty && $0.cancels == 0 && !$0.hasEnded } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        state.withLock { $0.downstreams.append(AnySubscriber(subscriber)) }
        subscriber.receive(subscription: self)
    }

    /// Sends a value if it was requested and nobody has cancelled.
    @discardableResult
    func send(_ value: Int) -> Bool {
        let downstream = state.withLock { state -> AnySubscriber<Int, TestFailure>? in
            guard state.requested > .none, state.cancels == 0, !state.hasEnded else { return nil }
            state.requested -= 1
            return state.downstreams.last
        }
        guard let downstream else { return false }
        let more = downstream.receive(value)
        if more > .none { request(more) }
        return true
    }

    /// Sends as many of these as are requested.
    func send(_ values: some Sequence<Int>) {
        for value in values where !send(value) { return }
    }

    /// Sends a value whatever was requested and has happened.
    func force(_ value: Int) {
        let downstream = state.withLock { $0.downstreams.last }
        _ = downstream?.receive(value)
    }

    /// Ends the stream, again and again if it is called so.
    func force(_ completion: Subscribers.Completion<TestFailure>) {
        let downstream = state.withLock { state in
            state.hasEnded = true
            return state.downstreams.last
        }
        downstream?.receive(completion: completion)
    }

    /// Ends the stream if nobody has cancelled.
    func end(_ completion: Subscribers.Completion<TestFailure>) {
        if isOpen { force(completion) }
    }

    func force(subscription: any Subscription) {
        let downstream = state.withLock { $0.downstreams.last }
        downstream?.receive(subscription: subscription)
    }

    /// Lets go of its subscribers.
    func forget() {
        let left = state.withLock { state in
            defer { state.downstreams = [] }
            return state.downstreams
        }
        withExtendedLifetime(left) {}
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.requested += demand
            state.requests += 1
        }
    }

    func cancel() {
        state.withLock { $0.cancels += 1 }
    }
}

/// Counts the cancels of a subscription that leads nowhere.
final class SpareSubscription: Subscription {
    private let count = Atomic(0)

    var cancels: Int { count.load(ordering: .acquiring) }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
        count.add(1, ordering: .acquiringAndReleasing)
    }
}

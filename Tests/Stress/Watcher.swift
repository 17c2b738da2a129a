import Streams
import Synchronization

/// A subscriber that expects 0, 1, 2 and so on, and returns demand now and then.
final class Watcher: Subscriber {
    typealias Input = Int
    typealias Failure = Overflow

    struct Overflow: Error {}

    private struct State: Sendable {
        var subscription: (any Subscription)?
        var count = 0
        var completion: Subscribers.Completion<Overflow>?
        var fault: String?
    }

    private let state = Mutex(State())
    private let isInside = Atomic(false)
    private let initial: Int
    private let returnsAt: Int

    /// - Parameter returnsAt: It returns one more for every value of a number that this divides; 0 for never.
    init(initial: Int, returnsAt: Int) {
        self.initial = initial
        self.returnsAt = returnsAt
    }

    var count: Int { state.withLock { $0.count } }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.subscription }?.request(demand)
    }

    /// What was wrong, after everything has been requested.
    func fault(sent: Int, isFinished: Bool) -> String? {
        state.withLock { state in
            if let fault = state.fault { return fault }
            if state.count != sent { return "\(state.count) of \(sent) values came" }
            switch state.completion {
            case .failure: return "it failed"
            case .finished: return isFinished ? nil : "it finished"
            case nil: return isFinished ? "it did not finish" : nil
            }
        }
    }

    func receive(subscription: any Subscription) {
        state.withLock { $0.subscription = subscription }
        if initial > 0 { subscription.request(.max(initial)) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        let overlaps = isInside.exchange(true, ordering: .acquiringAndReleasing)
        let count = state.withLock { state in
            if overlaps { state.fault = state.fault ?? "signals overlap" }
            if state.completion != nil { state.fault = state.fault ?? "value \(input) came after the end" }
            if input != state.count { state.fault = state.fault ?? "value \(input) came in place of \(state.count)" }
            state.count += 1
            return state.count
        }
        isInside.store(false, ordering: .releasing)
        return returnsAt > 0 && count.isMultiple(of: returnsAt) ? .max(1) : .none
    }

    func receive(completion: Subscribers.Completion<Overflow>) {
        state.withLock { state in
            if isInside.load(ordering: .acquiring) { state.fault = state.fault ?? "signals overlap" }
            if state.completion != nil { state.fault = state.fault ?? "it ended twice" }
            state.completion = completion
        }
    }
}

import Streams
import Synchronization

/// Keeps its subscription for good, so that a subscription that holds its subscriber after the end shows.
final class KeepingSubscriber<Input: Sendable>: Subscriber {
    private let subscription = Mutex<(any Subscription)?>(nil)
    private let completed = Atomic(false)
    private let cancelsAtOnce: Bool
    private let cancelsInside: Bool

    /// - Parameters:
    ///   - cancelsAtOnce: Whether it cancels inside its subscription signal.
    ///   - cancelsInside: Whether it cancels inside each value.
    init(cancelsAtOnce: Bool = false, cancelsInside: Bool = false) {
        self.cancelsAtOnce = cancelsAtOnce
        self.cancelsInside = cancelsInside
    }

    var hasCompleted: Bool { completed.load(ordering: .acquiring) }

    func receive(subscription: any Subscription) {
        self.subscription.withLock { $0 = subscription }
        if cancelsAtOnce { subscription.cancel() } else { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        if cancelsInside { cancel() }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        completed.store(true, ordering: .releasing)
    }

    func cancel() {
        subscription.withLock { $0 }?.cancel()
    }
}

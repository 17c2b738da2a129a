import Synchronization

/// The subscription of a publisher that has nothing to deliver but its end: it only remembers being cancelled.
@usableFromInline
final class CancelFlag: Subscription {
    @usableFromInline let flag = Atomic(false)

    @usableFromInline
    init() {}

    @inlinable
    var isCancelled: Bool {
        flag.load(ordering: .acquiring)
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() {
        flag.store(true, ordering: .releasing)
    }
}

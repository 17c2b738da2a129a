import Synchronization

/// Tells closures of requests and of the cancel, then passes them on. Lets go of everything on the cancel and at the
/// end, after which it tells of nothing (rules 3.6 and 3.7).
@usableFromInline
final class ObservedSubscription: Subscription {
    private struct Link: Sendable {
        var upstream: (any Subscription)?
        let onRequest: (@Sendable (Subscribers.Demand) -> Void)?
        let onCancel: (@Sendable () -> Void)?
    }

    private let link: Mutex<Link?>
    private let over = Atomic(false)

    @usableFromInline
    init(onRequest: (@Sendable (Subscribers.Demand) -> Void)?, onCancel: (@Sendable () -> Void)?) {
        link = Mutex(Link(onRequest: onRequest, onCancel: onCancel))
    }

    /// Whether it was cancelled or has ended: what comes nevertheless is dropped.
    @usableFromInline
    var isOver: Bool { over.load(ordering: .acquiring) }

    /// Takes the upstream's subscription.
    ///
    /// - Returns: False when it was refused and therefore cancelled (rule 2.5).
    @usableFromInline
    func receive(_ subscription: any Subscription) -> Bool {
        let isFirst = link.withLock { link in
            guard link != nil, link?.upstream == nil else { return false }
            link?.upstream = subscription
            return true
        }
        if !isFirst { subscription.cancel() }
        return isFirst
    }

    /// The stream has ended.
    @usableFromInline
    func finish() {
        over.store(true, ordering: .releasing)
        let left = link.withLock { $0.take() }
        // Let go of outside the lock: the optimiser destroys what is not used inside.
        withExtendedLifetime(left) {}
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        guard let link = link.withLock({ $0 }) else { return }
        link.onRequest?(demand)
        link.upstream?.request(demand)
    }

    @usableFromInline
    func cancel() {
        over.store(true, ordering: .releasing)
        let link = link.withLock { $0.take() }
        link?.onCancel?()
        link?.upstream?.cancel()
    }
}

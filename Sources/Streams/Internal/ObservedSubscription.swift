import Synchronization

/// Tells closures of requests and of the cancel, then passes them on. Lets go of everything on the cancel.
@usableFromInline
final class ObservedSubscription: Subscription {
    private struct Link: Sendable {
        let upstream: any Subscription
        let onRequest: (@Sendable (Subscribers.Demand) -> Void)?
        let onCancel: (@Sendable () -> Void)?
    }

    private let link: Mutex<Link?>

    @usableFromInline
    init(
        _ upstream: any Subscription, onRequest: (@Sendable (Subscribers.Demand) -> Void)?,
        onCancel: (@Sendable () -> Void)?
    ) {
        link = Mutex(Link(upstream: upstream, onRequest: onRequest, onCancel: onCancel))
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        guard let link = link.withLock({ $0 }) else { return }
        link.onRequest?(demand)
        link.upstream.request(demand)
    }

    @usableFromInline
    func cancel() {
        let link = link.withLock { link in
            defer { link = nil }
            return link
        }
        link?.onCancel?()
        link?.upstream.cancel()
    }
}

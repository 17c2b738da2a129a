import Synchronization

/// Two upstreams of which the first to say something wins.
@usableFromInline
final class AmbSubscription: Subscription {
    @usableFromInline let a = UpstreamSlot()
    @usableFromInline let b = UpstreamSlot()
    /// 0 while nobody has, 1 or 2 for the one that has won.
    private let winner = Atomic(0)

    @usableFromInline
    init() {}

    /// Whether this one has won or wins now, which cancels the other.
    @usableFromInline
    func wins(_ slot: UpstreamSlot, over rival: UpstreamSlot) -> Bool {
        let number = slot === a ? 1 : 2
        let now = winner.load(ordering: .acquiring)
        if now != 0 { return now == number }
        let result = winner.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing)
        if result.exchanged { rival.cancel() }
        return result.exchanged || result.original == number
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        a.request(demand)
        b.request(demand)
    }

    @usableFromInline
    func cancel() {
        a.cancel()
        b.cancel()
    }
}

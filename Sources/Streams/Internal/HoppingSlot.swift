/// A slot that passes requests and cancels on through a scheduler; what comes before the upstream waits in it.
///
/// Unchecked as its base: it adds a constant.
@usableFromInline
final class HoppingSlot: UpstreamSlot, @unchecked Sendable {
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    @usableFromInline
    init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
        super.init()
    }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        guard demand > .none, !keepEarly(demand) else { return }
        schedule { self.pass(demand) }
    }

    @usableFromInline
    override func cancel() {
        guard let subscription = end().subscription else { return }
        schedule { subscription.cancel() }
    }
}

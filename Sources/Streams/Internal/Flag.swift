import Synchronization

/// Something that has happened or hasn't.
@usableFromInline
final class Flag: Sendable {
    private let raised = Atomic(false)

    @usableFromInline
    init() {}

    @usableFromInline
    var isRaised: Bool { raised.load(ordering: .acquiring) }

    @usableFromInline
    func raise() { raised.store(true, ordering: .releasing) }
}

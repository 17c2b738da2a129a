import Synchronization

/// Something that has happened or hasn't.
@usableFromInline
final class Flag: Sendable {
    private let raised = Atomic(false)

    @usableFromInline
    init() {}

    @usableFromInline
    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// - Returns: Whether it wasn't raised before.
    @usableFromInline @discardableResult
    func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }

    @usableFromInline
    func lower() { raised.store(false, ordering: .releasing) }
}

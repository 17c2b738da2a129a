import Synchronization

/// Holds one cancellable that arrives later. Cancelled before, it cancels it on arrival.
///
/// A second one is refused: it is cancelled at once, and `set` says so.
public final class SingleAssignmentDisposable: Cancellable {
    let slot = Mutex(Slot.empty)

    enum Slot: Sendable {
        case empty
        case assigned(any Cancellable)
        case cancelled
    }

    /// Creates an empty disposable.
    public init() {}

    /// A Boolean value that indicates whether the disposable has been cancelled.
    public var isCancelled: Bool {
        slot.withLock { if case .cancelled = $0 { true } else { false } }
    }

    /// Sets the cancellable.
    ///
    /// - Parameter cancellable: The cancellable.
    /// - Returns: `true` if it was kept; `false` if it has been cancelled instead.
    @discardableResult
    public func set(_ cancellable: any Cancellable) -> Bool {
        let kept = slot.withLock { slot in
            guard case .empty = slot else { return false }
            slot = .assigned(cancellable)
            return true
        }
        if !kept { cancellable.cancel() }
        return kept
    }

    /// Cancels the cancellable that is set, or the one that will be.
    public func cancel() {
        let held = slot.withLock { slot in
            defer { slot = .cancelled }
            return slot
        }
        if case .assigned(let cancellable) = held { cancellable.cancel() }
    }
}

import Synchronization

/// Holds one cancellable at a time: a new one cancels the one before it. Once cancelled, whatever arrives is cancelled
/// on arrival.
public final class SerialDisposable: Cancellable {
    let slot = Mutex(Slot())

    struct Slot: Sendable {
        var current: (any Cancellable)?
        var isCancelled = false
    }

    /// Creates an empty disposable.
    public init() {}

    /// A Boolean value that indicates whether the disposable has been cancelled.
    public var isCancelled: Bool {
        slot.withLock { $0.isCancelled }
    }

    /// Replaces the cancellable, and cancels the one before.
    ///
    /// - Parameter cancellable: The new cancellable; nil for none.
    public func set(_ cancellable: (any Cancellable)?) {
        slot.withLock { slot -> (any Cancellable)? in
            if slot.isCancelled { return cancellable }
            defer { slot.current = cancellable }
            return slot.current
        }?.cancel()
    }

    /// Cancels the present cancellable, and from then on every one that is set.
    public func cancel() {
        slot.withLock { slot in
            slot.isCancelled = true
            defer { slot.current = nil }
            return slot.current
        }?.cancel()
    }
}

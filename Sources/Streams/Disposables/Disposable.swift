import Synchronization

/// A closure that runs on the first `dispose()` and never again.
///
/// Unlike `AnyCancellable` it does nothing when it is merely let go of: what `create` returns is disposed by the
/// stream, not by a scope.
public final class Disposable: Cancellable {
    /// In a value of its own: a bare closure would come back from every look in two more thunks than before.
    @usableFromInline
    struct Action: Sendable {
        @usableFromInline let run: @Sendable () -> Void

        @inlinable
        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    @usableFromInline
    let action: Mutex<Action?>

    /// Wraps the work that frees a resource.
    @inlinable
    public init(_ dispose: @escaping @Sendable () -> Void) {
        action = Mutex(Action(dispose))
    }

    /// A disposable with nothing to do.
    public init() {
        action = Mutex(nil)
    }

    /// Runs the closure, unless it has run; lets go of it before it runs, so that it may dispose again.
    public func dispose() {
        action.withLock { action in
            defer { action = nil }
            return action
        }?.run()
    }

    /// Whether it has been disposed of (or never had anything to do).
    public var isDisposed: Bool {
        action.withLock { $0 == nil }
    }

    /// The same as `dispose()`.
    public func cancel() {
        dispose()
    }
}

import Synchronization

/// A closure that runs on the first `dispose()` and never again.
///
/// Unlike `AnyCancellable` it does nothing when it is merely released: what `create` returns is disposed by the
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

    /// Creates a disposable from the work that frees a resource.
    ///
    /// - Parameter dispose: The work that frees the resource.
    @preconcurrency
    @inlinable
    public init(_ dispose: @escaping @Sendable () -> Void) {
        action = Mutex(Action(dispose))
    }

    /// Creates a disposable with nothing to do.
    public init() {
        action = Mutex(nil)
    }

    /// Runs the closure, unless it has run; releases it before it runs, so that it may dispose again.
    public func dispose() {
        action.withLock { action in
            defer { action = nil }
            return action
        }?.run()
    }

    /// A Boolean value that indicates whether the closure has run, or there never was one.
    public var isDisposed: Bool {
        action.withLock { $0 == nil }
    }

    /// Calls ``dispose()``.
    public func cancel() {
        dispose()
    }
}

import Synchronization

/// A cancellable that cancels itself when it is released.
///
/// The wrapped value is released on the first cancel, outside any lock.
public final class AnyCancellable: Cancellable, Hashable {
    @usableFromInline
    let wrapped: Mutex<(any Cancellable)?>

    /// Wraps a cancellable.
    ///
    /// - Parameter cancellable: The cancellable to wrap.
    @inlinable
    public init(_ cancellable: some Cancellable) {
        wrapped = Mutex(cancellable)
    }

    /// Wraps a closure, which runs at most once.
    ///
    /// - Parameter cancel: The closure to run.
    @preconcurrency
    @inlinable
    public init(_ cancel: @escaping @Sendable () -> Void) {
        wrapped = Mutex(Disposable(cancel))
    }

    deinit {
        cancel()
    }

    /// Cancels the wrapped cancellable; a second call does nothing.
    public func cancel() {
        wrapped.withLock { wrapped in
            defer { wrapped = nil }
            return wrapped
        }?.cancel()
    }

    /// Stores the cancellable in a set, which cancels it when it is removed.
    ///
    /// - Parameter set: The set that keeps the cancellable.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }

    /// Stores the cancellable in a collection, which cancels it when it is removed.
    ///
    /// - Parameter collection: The collection that keeps the cancellable.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
        lhs === rhs
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

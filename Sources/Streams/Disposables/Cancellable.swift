/// Work that can be stopped. `cancel()` may be called from any thread and any number of times.
public protocol Cancellable: Sendable {
    /// Stops the work and releases what it holds.
    func cancel()
}

extension Cancellable {
    /// Stores the cancellable in a set, which cancels it when it is removed.
    ///
    /// - Parameter set: The set that keeps the cancellable.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }

    /// Stores the cancellable in a collection, which cancels it when it is removed.
    ///
    /// - Parameter collection: The collection that keeps the cancellable.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }
}

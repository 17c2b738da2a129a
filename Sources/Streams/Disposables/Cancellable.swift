/// Work that can be stopped. `cancel()` may be called from any thread and any number of times.
public protocol Cancellable: Sendable {
    /// Stops the work and lets go of what it holds.
    func cancel()
}

extension Cancellable {
    /// Keeps it in a set, which cancels it when the set lets go of it.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }

    /// Keeps it in a collection, which cancels it when the collection lets go of it.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        AnyCancellable(self).store(in: &collection)
    }
}

extension Publisher where Failure == Never {
    /// Writes each value to a property, and requests everything.
    ///
    /// The property is written on the thread that the publisher delivers on. As in Combine the object is held strongly,
    /// until the end or the cancel: an object that keeps the result of assigning to itself keeps itself alive.
    @inlinable @inline(__always)
    public func assign<Root: AnyObject & Sendable>(
        to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Writes each value to a property isolated to the main actor, there, and requests everything.
    ///
    /// Delivers as `sink(on:receiveCompletion:receiveValue:)` does. The object is held strongly, until the end or the
    /// cancel.
    @MainActor
    public func assign<Root: AnyObject & Sendable>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolatedTo actor: MainActor
    ) -> AnyCancellable {
        sink(on: actor) { object[keyPath: keyPath] = $0 }
    }
}

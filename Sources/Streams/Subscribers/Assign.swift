extension Publisher where Failure == Never {
    /// Sets a property of an object to each value, on the thread that delivers it.
    ///
    /// Holds the object until the end or the cancel, as Combine does: an object that keeps the result in a property of
    /// its own is not released before. For objects on the main actor use `sink(on:receiveValue:)`.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the property.
    ///   - object: The object whose property is set.
    @inlinable
    public func assign<Root: Sendable>(
        to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }
}

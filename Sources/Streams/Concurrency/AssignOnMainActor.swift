extension Publisher where Failure == Never {
    /// Writes each value to a property isolated to the main actor, there, and requests everything.
    ///
    /// Delivers as `sink(on:receiveCompletion:receiveValue:)` does. The object is held strongly, until the end or the
    /// cancel.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the property.
    ///   - object: The object whose property is set.
    ///   - actor: The main actor.
    @MainActor
    public func assign<Root: AnyObject & Sendable>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolatedTo actor: MainActor
    ) -> AnyCancellable {
        sink(on: actor) { object[keyPath: keyPath] = $0 }
    }
}

extension Publisher where Failure == Never {
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

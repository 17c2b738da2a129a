import Synchronization

/// A value that one signal of a load leaves for a later one: the response that a decoder discards, the entry that a server confirms.
final class Noted<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// The value noted last; nil before the first.
    var value: Value? { stored.withLock { $0 } }

    /// Takes the place of the value before, which is released outside the lock.
    func note(_ new: Value) {
        let old = stored.withLock { stored in
            defer { stored = new }
            return stored
        }
        withExtendedLifetime(old) {}
    }
}

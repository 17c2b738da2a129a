import Synchronization

/// Holds any number of cancellables and cancels them together, in the order in which they were added.
///
/// Adding and removing take constant time. What is added after the cancel is cancelled on arrival.
public final class CompositeDisposable: Cancellable {
    /// A name of a member, for removing it.
    public struct Key: Sendable, Hashable {
        let serial: UInt64
    }

    let members = Mutex(Members())

    struct Members: Sendable {
        var held: [Key: any Cancellable]? = [:]
        var serial: UInt64 = 0
    }

    /// Creates a disposable that holds cancellables.
    ///
    /// - Parameter cancellables: The cancellables to hold.
    public init(_ cancellables: (any Cancellable)...) {
        for cancellable in cancellables { add(cancellable) }
    }

    /// A Boolean value that indicates whether the disposable has been cancelled.
    public var isCancelled: Bool {
        members.withLock { $0.held == nil }
    }

    /// The number of cancellables that it holds.
    public var count: Int {
        members.withLock { $0.held?.count ?? 0 }
    }

    /// Adds a cancellable, and returns a key that removes it.
    ///
    /// - Parameter cancellable: The cancellable.
    /// - Returns: Its key, or nil when the composite was cancelled before, and so has cancelled it.
    @discardableResult
    public func add(_ cancellable: any Cancellable) -> Key? {
        let key = members.withLock { members -> Key? in
            guard members.held != nil else { return nil }
            members.serial += 1
            let key = Key(serial: members.serial)
            members.held?[key] = cancellable
            return key
        }
        if key == nil { cancellable.cancel() }
        return key
    }

    /// Removes a cancellable without cancelling it.
    ///
    /// - Parameter key: The key that `add(_:)` has returned.
    @discardableResult
    public func remove(_ key: Key) -> (any Cancellable)? {
        members.withLock { $0.held?.removeValue(forKey: key) }
    }

    /// Cancels all members, and from then on every cancellable that is added.
    public func cancel() {
        let held = members.withLock { members in
            defer { members.held = nil }
            return members.held
        }
        for (_, cancellable) in (held ?? [:]).sorted(by: { $0.key.serial < $1.key.serial }) { cancellable.cancel() }
    }
}

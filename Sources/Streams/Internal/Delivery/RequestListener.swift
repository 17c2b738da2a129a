import Synchronization

/// The closure that `onRequest` was given. It is told of all that is requested, one call at a time, and never from
/// inside a delivery: a source that sends as much as was requested would fill the queue there, without an end where
/// demand is unlimited.
///
/// Its demand is what the closure has yet to be told of, its owner is whoever calls the closure. It has an owner from
/// the start: until there is a closure nobody else needs to look.
@usableFromInline
struct RequestListener: ~Copyable, Sendable {
    @usableFromInline typealias Handler = @Sendable (Subscribers.Demand) -> Void

    /// The closure in a value of its own. Bare in a mutex it would come back from every look in two more thunks than
    /// before: a leak, and with a million requests a stack that overflows.
    @usableFromInline
    struct Registration: Sendable {
        @usableFromInline let handler: Handler

        @inlinable
        init(_ handler: @escaping Handler) {
            self.handler = handler
        }
    }

    @usableFromInline let gate = DemandGate(owned: true)
    @usableFromInline let registration = Mutex<Registration?>(nil)

    @inlinable
    init() {}

    /// Writes down what was requested, for `tell()`.
    @inlinable
    func note(_ demand: Subscribers.Demand) {
        gate.add(demand)
    }

    /// Tells of what was noted: call it outside of deliveries.
    @inlinable
    func tell() {
        if gate.demand > 0, gate.enterOrMark() { tellAsOwner() }
    }

    @inlinable
    func tellAsOwner() {
        repeat {
            while gate.demand > 0, let registered = registration.withLock({ $0 }) { registered.handler(gate.takeAll()) }
        } while gate.leave() == .again
    }

    /// Sets the closure, which the next `tell()` tells of all that came before.
    ///
    /// - Parameter isOver: Whether nothing will be requested any more; asked under the lock that `remove()` takes.
    @inlinable
    func set(_ new: @escaping Handler, unless isOver: () -> Bool) {
        let (old, isSet) = registration.withLock { registration -> (Registration?, Bool) in
            if isOver() { return (nil, false) }
            defer { registration = Registration(new) }
            return (registration, true)
        }
        // The first closure opens the way. Who found it closed is answered for by that `tell()`.
        if isSet, old == nil { while gate.leave() == .again {} }
    }

    @inlinable
    func remove() {
        let old = registration.withLock { $0.take() }
        withExtendedLifetime(old) {}
    }
}

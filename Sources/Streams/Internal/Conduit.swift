import Synchronization

/// One subscriber of a subject: what it has requested, and whether it still listens.
@usableFromInline
final class Conduit<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let downstream: AnySubscriber<Output, Failure>
    @usableFromInline let gate = DemandGate()
    @usableFromInline let core: SubjectCore<Output, Failure>
    /// Its place among the subject's members.
    @usableFromInline let key = Atomic<UInt64>(0)
    /// Whether it has yet to get the newest value of a subject that keeps one. Only the subject's owner touches it.
    @usableFromInline let isOwed: Serial<Bool>

    @inlinable
    init(_ downstream: AnySubscriber<Output, Failure>, core: SubjectCore<Output, Failure>) {
        self.downstream = downstream
        self.core = core
        isOwed = Serial(core.keepsNewest)
    }

    @inlinable @inline(__always)
    var isCancelled: Bool { gate.isClosed }

    @inlinable
    func close() -> Bool { gate.closeAsOwner() }

    /// Delivers a value if it was requested; called by the subject's owner only.
    @inlinable @inline(__always)
    func deliver(_ value: Output) {
        let demand = gate.demand
        guard demand > 0, !gate.isClosed else {
            isOwed.value = core.keepsNewest
            return
        }
        isOwed.value = false
        let more = downstream.receive(value)
        if demand == .max { return }
        gate.settle(delivered: 1, adding: more)
    }

    @inlinable
    func deliverOwed(_ value: Output) {
        if isOwed.value { deliver(value) }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        gate.settle(delivered: 0, adding: demand)
        core.owe(self)
    }

    @inlinable
    func cancel() {
        if gate.closeAsOwner() { core.detach(self) }
    }
}

/// What a subject's subscriber holds: it lets go of the subscriber on the cancel, whoever keeps it.
@usableFromInline
final class ConduitSubscription<Output: Sendable, Failure: Error>: Subscription {
    @usableFromInline let conduit: Mutex<Conduit<Output, Failure>?>

    @inlinable
    init(_ conduit: Conduit<Output, Failure>) {
        self.conduit = Mutex(conduit)
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        conduit.withLock { $0 }?.request(demand)
    }

    @inlinable
    func cancel() {
        conduit.withLock { conduit in
            defer { conduit = nil }
            return conduit
        }?.cancel()
    }
}

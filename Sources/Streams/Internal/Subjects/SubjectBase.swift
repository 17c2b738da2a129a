import CThread
import Synchronization

/// The part of a subject that has nothing to do with its values' type, so that it is compiled once.
///
/// Signals are serialised by a gate: whoever finds it idle delivers, everybody else leaves theirs in the subject's
/// inbox. The owner delivers to a snapshot of the registry, made anew at the first signal after a change.
///
/// Unchecked because of `snapshot`, `count` and `generation`, which only the owner of the gate touches: entering it acquires,
/// leaving it releases. Each entry of the snapshot owns a reference to its conduit, which is therefore alive while it
/// is called without being retained for each value.
@usableFromInline
class SubjectBase: @unchecked Sendable {
    @usableFromInline let gate = DemandGate(isUnlimited: true)
    /// Whether the registry has changed since the snapshot was made.
    @usableFromInline let isStale = Atomic(false)
    /// The thread that entered the gate last to deliver what was sent, and whether there is something in the inbox that
    /// it has yet to take: hints to those who wait.
    @usableFromInline let owner = Atomic<UInt>(0)
    @usableFromInline let isPosted = Atomic(false)
    let registry: ConduitRegistry
    let keepsLatest: Bool
    @exclusivity(unchecked) @usableFromInline var snapshot: UnsafeMutablePointer<Unmanaged<ConduitBase>>?
    @exclusivity(unchecked) @usableFromInline var count = 0
    /// The connection that the snapshot is of.
    @exclusivity(unchecked) @usableFromInline var generation = 0

    /// - Parameters:
    ///   - keepsLatest: Whether a request may be answered with the latest value; upstreams are asked at once then.
    ///   - countsReferences: Whether the first subscriber connects and the last one disconnects.
    @usableFromInline
    init(keepsLatest: Bool, countsReferences: Bool) {
        self.keepsLatest = keepsLatest
        registry = ConduitRegistry(countsReferences: countsReferences, isDemanded: keepsLatest)
    }

    /// Whether somebody is subscribed.
    @usableFromInline
    var hasSubscribers: Bool { !registry.isEmpty }

    /// Delivers what is in the inbox, and leaves the gate. The caller owns it.
    @usableFromInline
    func drain() {}

    /// Gives a conduit the latest value, unless it has seen it.
    func replay(to handle: ConduitHandle) {}

    /// Waits for the owner to leave, no longer than some short deliveries take, and enters. It looks seldom: each look
    /// takes the gate's cache line away from the owner, whose deliveries are many times quicker undisturbed. It is in
    /// vain if the owner is this thread, or held up, so that somebody has given up waiting already.
    @usableFromInline
    func waitToEnter() -> Bool {
        guard owner.load(ordering: .relaxed) != current_thread() else { return false }
        // One to five microseconds in all, depending on the processor.
        var pauses = 16
        repeat {
            for _ in 0..<pauses { spin_hint() }
            if gate.tryEnter() != nil { return true }
            pauses *= 2
        } while pauses <= 64 && !isPosted.load(ordering: .relaxed)
        return false
    }

    /// Makes the snapshot anew. The caller owns the gate.
    @usableFromInline
    func refreshSnapshot() {
        // Before it is copied: a change during the copy makes it stale again.
        isStale.store(false, ordering: .sequentiallyConsistent)
        let (conduits, generation) = registry.conduits
        releaseSnapshot()
        self.generation = generation
        guard !conduits.isEmpty else { return }
        let fresh = UnsafeMutablePointer<Unmanaged<ConduitBase>>.allocate(capacity: conduits.count)
        for (index, conduit) in conduits.enumerated() {
            (fresh + index).initialize(to: .passRetained(conduit))
        }
        snapshot = fresh
        count = conduits.count
    }

    /// Lets go of a snapshot that has conduits in it which were cancelled: their subscribers are released now, and not
    /// with the next value. Paid for by the send that made the snapshot. The caller owns the gate.
    @usableFromInline
    func releaseStaleSnapshot() {
        guard count > 0, isStale.load(ordering: .acquiring) else { return }
        releaseSnapshot()
    }

    @usableFromInline
    func releaseSnapshot() {
        guard let old = snapshot else { return }
        let oldCount = count
        snapshot = nil
        count = 0
        // May run deinitialisers that send or cancel: the fields are consistent, and the gate is ours.
        for index in 0..<oldCount { old[index].release() }
        old.deallocate()
    }

    @usableFromInline
    func admit(_ conduit: ConduitBase) -> Admission {
        switch registry.add(conduit) {
        case .cancelled: return .added(connect: nil)
        case .closed: return .closed
        case .added(let connect):
            isStale.store(true, ordering: .releasing)
            if conduit.handle.admit() & ConduitHandle.demandMask != 0 { requested(conduit.handle) }
            return .added(connect: connect)
        }
    }

    /// The fate of a subscriber.
    @usableFromInline
    enum Admission {
        /// The subject has ended.
        case closed
        /// It is in, or was cancelled; what is to be connected, if it is the first of a counted subject.
        case added(connect: SharedConnection?)
    }

    func requested(_ handle: ConduitHandle) {
        registry.demand(of: handle)
        if keepsLatest { replay(to: handle) }
    }

    func remove(_ handle: ConduitHandle) {
        let removed = registry.remove(handle)
        guard removed.conduit != nil else { return }
        isStale.store(true, ordering: .releasing)
        enterToReleaseSnapshot()
        guard let disconnecting = removed.disconnecting else { return }
        for upstream in disconnecting { upstream.cancel() }
        registry.endTurn()
    }

    /// Subscribes to the upstream, once the connection before has been taken down.
    @usableFromInline
    func connect(_ connection: SharedConnection, _ connect: @escaping @Sendable () -> Void) {
        registry.connect(connection, connect)
    }

    /// Lets go of all subscribers without a word: the subject itself has gone. The caller owns the gate.
    @usableFromInline
    func abandon() {
        guard let (conduits, upstreams) = registry.close() else { return }
        for conduit in conduits { _ = conduit.handle.end() }
        isStale.store(true, ordering: .releasing)
        enterToReleaseSnapshot()
        for upstream in upstreams { upstream.cancel() }
    }

    @usableFromInline
    func receive(upstream: any Subscription) {
        registry.addUpstream(upstream)
    }

    /// Closes the registry for the completion that the caller is about to deliver: of one connection, unless there is
    /// another by now, or of all.
    ///
    /// - Returns: To whom; nil when it stays open.
    @usableFromInline
    func close(_ generation: Int? = nil) -> [ConduitBase]? {
        guard let (conduits, upstreams) = registry.close(generation) else { return nil }
        releaseSnapshot()
        for upstream in upstreams { upstream.cancel() }
        return conduits
    }

    @usableFromInline
    func find(_ handle: ConduitHandle) -> ConduitBase? {
        registry.conduit(of: handle)
    }

    private func enterToReleaseSnapshot() {
        guard gate.enterOrMark() else { return }
        releaseStaleSnapshot()
        if gate.leave() != .left { drain() }
    }
}

public import CThread
import Synchronization

/// A subscription whose values are delivered by one closure, by whoever finds it idle: what stands behind sources that
/// walk over something and operators that join several upstreams.
///
/// The closure is made where the types are known. A generic class in its place would be entered, and taken apart,
/// through code that looks its types up at run time.
///
/// Unchecked because of `work`, which only the owner of the gate touches: entering the gate acquires, leaving it
/// releases, and it has one owner at a time. Whoever makes the subscription owns the gate at first.
@usableFromInline
final class DrainedSubscription: Subscription, @unchecked Sendable {
    @usableFromInline let gate = DemandGate(owned: true)
    /// Unmanaged, so that a call neither retains nor releases; nil once it is over.
    @exclusivity(unchecked) private var work: Unmanaged<Work>?
    /// The thread of the gate's owner, 0 when there is none: so a thread finds its own number here only while it is that.
    @usableFromInline let owner = Atomic(UInt(current_thread()))
    /// Whether one of the upstreams has ended: until then nobody has to look how.
    @usableFromInline let hasEnding = Atomic(false)
    /// Whether the subscriber has cancelled: it may do so while the end is on its way.
    @usableFromInline let isLeft = Atomic(false)
    /// Cancelled with it.
    @usableFromInline let upstreams: [UpstreamSlot]
    /// Those of which is requested what is requested of it.
    @usableFromInline let demanded: [UpstreamSlot]

    private final class Work {
        let advance: (DrainedSubscription) -> Int?

        init(_ advance: @escaping (DrainedSubscription) -> Int?) {
            self.advance = advance
        }
    }

    @usableFromInline
    init(upstreams: [UpstreamSlot] = [], demanded: [UpstreamSlot] = []) {
        self.upstreams = upstreams
        self.demanded = demanded
    }

    deinit {
        work?.release()
    }

    /// As the owner: says how values are delivered.
    ///
    /// - Parameter advance: Delivers what there is demand for; returns how much that was, or nil when that was the end.
    @usableFromInline
    func deliver(by advance: @escaping (DrainedSubscription) -> Int?) {
        work = .passRetained(Work(advance))
    }

    /// Something has come that the closure is to look at.
    @inlinable @inline(__always)
    func signal() {
        // An upstream that answers a request at once signals from inside it.
        if owner.load(ordering: .relaxed) == UInt(current_thread()), gate.isMissed { return }
        if gate.tryEnter() != nil || gate.enterOrMark() { drain() }
    }

    /// As the owner: delivers, and leaves.
    @usableFromInline
    func drain() {
        guard let work else { return }
        own()
        while let delivered = work._withUnsafeGuaranteedRef({ $0.advance(self) }) {
            owner.store(0, ordering: .relaxed)
            switch gate.leave(delivered: delivered) {
            case .left: return
            case .again: own()
            case .closed: return release()
            }
        }
        release()
    }

    /// As the owner, from inside the closure: the stream ends, and the upstreams are cancelled before that is delivered.
    ///
    /// - Returns: Nil, for the closure to return.
    @inlinable
    func end(_ deliver: () -> Void) -> Int? {
        guard gate.closeAsOwner() else { return nil }
        for upstream in upstreams { upstream.cancel() }
        if !isLeft.load(ordering: .acquiring) { deliver() }
        return nil
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        let isOwner = gate.request(demand)
        if isOwner { own() }
        for upstream in demanded { upstream.request(demand) }
        if isOwner { drain() }
    }

    @usableFromInline
    func cancel() {
        isLeft.store(true, ordering: .releasing)
        let isLastOwner = gate.close()
        for upstream in upstreams { upstream.cancel() }
        if isLastOwner { release() }
    }

    private func own() {
        owner.store(UInt(current_thread()), ordering: .relaxed)
    }

    private func release() {
        work.take()?.release()
    }
}

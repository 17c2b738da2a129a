public import CThread
import Synchronization

/// A subscription whose values are delivered by one closure, by whoever finds it idle: what stands behind sources that
/// walk over something and operators that join several upstreams.
///
/// The closure is made where the types are known. A generic class in its place would be entered, and taken apart,
/// through code that looks its types up at run time.
///
/// Whoever makes it owns the gate until they have subscribed to the first upstream, and whoever requests owns it while
/// the upstreams are asked. What an upstream delivers meanwhile on that same thread is dealt with at once, with the
/// gate kept: nothing gathers behind a source that runs inside the subscription or the request. What comes from inside
/// a delivery is left for when that has returned.
///
/// Unchecked because of `work` and its errand, which only the owner of the gate touches: entering the gate
/// acquires, leaving it releases, and it has one owner at a time.
@usableFromInline
final class DrainedSubscription: Subscription, @unchecked Sendable {
    @usableFromInline let gate = DemandGate(owned: true)
    /// Unmanaged, so that a call neither retains nor releases; nil once it is over.
    @exclusivity(unchecked) var work: Unmanaged<Work>?
    /// Whether there is an errand in it. Here, since it is looked at after each delivery.
    @exclusivity(unchecked) var hasErrand = false
    /// The thread of the gate's owner, with `delivering` while it runs the closure; 0 when there is none. So a thread
    /// finds its own number here only while it is that.
    @usableFromInline let owner = Atomic(UInt(current_thread()))
    /// Counts what came while something else was waiting or being delivered: that is taken in the order in which it came.
    @usableFromInline let turns = Atomic<UInt>(0)
    /// Whether one of the upstreams has ended: until then nobody has to look how.
    @usableFromInline let hasEnding = Atomic(false)
    /// Whether the subscriber has cancelled: it may do so while the end is on its way.
    @usableFromInline let isLeft = Atomic(false)
    /// Cancelled with it.
    @usableFromInline let upstreams: [UpstreamSlot]
    /// Of how many of them, from the first on, is requested what is requested of it.
    @usableFromInline let demanded: Int
    /// Whether it ends with the failure of any of them: then nothing of the others counts that comes later.
    @usableFromInline let failsAsOne: Bool
    /// Whether it makes its values when they are requested and loses none: it may be asked for a few at a time.
    let isPulled: Bool
    /// Where it delivers; nil for wherever a signal or a request comes.
    @usableFromInline let appointment: Appointment?
    @usableFromInline var takesTurns: Bool {
        @inlinable @inline(__always) get { appointment != nil }
    }

    /// A bit that is clear in every thread's number.
    @usableFromInline static var delivering: UInt { 1 }

    final class Work {
        let advance: (DrainedSubscription) -> Int?
        /// The work that the closure has left to be done between two deliveries.
        @exclusivity(unchecked) var errand: (() -> Void)?

        init(_ advance: @escaping (DrainedSubscription) -> Int?) {
            self.advance = advance
        }
    }

    /// Runs work soon, and whether some is to run.
    @usableFromInline
    final class Appointment: Sendable {
        let isDue = Atomic(false)
        let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

        init(_ soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
            self.soon = soon
        }
    }

    @usableFromInline
    init(upstreams: [UpstreamSlot] = [], demanded: Int = 0, failsAsOne: Bool = false, isPulled: Bool = false) {
        self.upstreams = upstreams
        self.demanded = demanded
        self.failsAsOne = failsAsOne
        self.isPulled = isPulled
        appointment = nil
    }

    /// - Parameter soon: Runs work on the scheduler that it delivers on: then nothing is delivered but inside `look()`,
    ///   which is called there.
    @usableFromInline
    init(
        upstreams: [UpstreamSlot], demanded: Int = 0,
        deliveringBy soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.upstreams = upstreams
        self.demanded = demanded
        failsAsOne = false
        isPulled = false
        appointment = Appointment(soon)
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
    ///
    /// - Parameter leave: Leaves it where the closure finds it, with its turn: 0 where nothing else was waiting, else later
    ///   than all that has come before, of whichever upstream.
    @inlinable @inline(__always)
    func signal(_ leave: (_ turn: UInt) -> Void = { _ in }) {
        if takesTurns {
            leave(nextTurn())
            return schedule()
        }
        let thread = UInt(current_thread())
        let owner = owner.load(ordering: .relaxed)
        if owner == thread {
            leave(gate.isMissed ? nextTurn() : 0)
            return drainAsHolder()
        }
        if owner != thread | Self.delivering, gate.tryEnter() != nil {
            leave(0)
            return drain()
        }
        leave(nextTurn())
        // An upstream that answers a request at once signals from inside it.
        if owner == thread | Self.delivering, gate.isMissed { return }
        look()
    }

    /// Something has come, and is where the closure finds it, that may be taken in any order: for a closure that looks
    /// once more after whatever it has run, and has not been appointed a scheduler.
    @inlinable @inline(__always)
    func signalInAnyOrder() {
        let thread = UInt(current_thread())
        let owner = owner.load(ordering: .relaxed)
        // From inside a delivery: who delivers has yet to look again.
        if owner == thread | Self.delivering { return }
        if owner == thread { return drainAsHolder() }
        look()
    }

    @inlinable
    func nextTurn() -> UInt {
        turns.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Delivers here and now, unless somebody else does.
    @inlinable @inline(__always)
    func look() {
        if gate.tryEnter() != nil || gate.enterOrMark() { drain() }
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
        // Who delivers on a scheduler leaves that to its next turn.
        let isFree = isOwner && takesTurns
        if isFree, !leaveUndone() { return }
        if isOwner, !isFree { hold() }
        for index in 0..<demanded { upstreams[index].request(demand) }
        if isFree { schedule() } else if isOwner { drain() }
    }

    /// As the owner, once the first upstream has been subscribed to: delivers what has come meanwhile, and leaves. On a
    /// scheduler that is left to the turn that has been asked for.
    @usableFromInline
    func begin() {
        if takesTurns { _ = leaveUndone() } else { drain() }
    }

    /// As the owner: leaves without delivering anything.
    ///
    /// - Returns: Whether it goes on.
    private func leaveUndone() -> Bool {
        while true {
            switch gate.leave() {
            case .left: return true
            case .again: continue
            case .closed:
                release()
                return false
            }
        }
    }

    /// Has the closure look at what has come, in a turn on the scheduler.
    @usableFromInline
    func schedule() {
        guard let appointment, !gate.isClosed, !appointment.isDue.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        appointment.soon { [self] in
            // Exchanged, so that what came before a call that found it due is seen here.
            _ = appointment.isDue.exchange(false, ordering: .acquiringAndReleasing)
            look()
        }
    }

    @usableFromInline
    func cancel() {
        isLeft.store(true, ordering: .releasing)
        let isLastOwner = gate.close()
        for upstream in upstreams { upstream.cancel() }
        if isLastOwner { release() }
    }

    /// Cancels the upstreams, and takes no value of any of them once that has begun.
    @usableFromInline
    func cancelUpstreams() {
        for subscription in upstreams.map({ $0.end().subscription }) { subscription?.cancel() }
    }

    /// As the last owner: lets go of what it delivers with.
    func release() {
        work.take()?.release()
    }
}

extension DrainedSubscription {
    /// Whether an upstream's subscription makes its values when they are requested and loses none.
    @usableFromInline
    static func isPulled(_ subscription: any Subscription) -> Bool {
        (subscription as? DrainedSubscription)?.isPulled ?? false
    }
}

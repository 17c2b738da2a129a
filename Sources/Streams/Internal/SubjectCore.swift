import Synchronization

/// The subscribers of a subject, and the right to deliver to them.
///
/// Whoever finds the gate idle delivers; what others send meanwhile, or a subscriber sends from inside a value, is
/// queued and delivered by that owner, so all subscribers see the same order. The owner walks a list of its own, which
/// it refreshes only after somebody came or went.
///
/// Unchecked because of `audience` and `shown`, which only the owner of the gate touches.
@usableFromInline
final class SubjectCore<Output: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    @usableFromInline let gate = DemandGate()
    @usableFromInline let isStale = Atomic(false)
    @exclusivity(unchecked) @usableFromInline var audience: [Conduit<Output, Failure>] = []
    /// The newest value that was delivered, of a subject that keeps it.
    @exclusivity(unchecked) @usableFromInline var shown: Output?
    @usableFromInline let state: Mutex<State>
    /// Whether a value is kept for those who request later, as a `CurrentValueSubject` does.
    @usableFromInline let keepsNewest: Bool

    @usableFromInline
    struct State: Sendable {
        /// By order of arrival; keys only grow.
        @usableFromInline var members: [UInt64: Conduit<Output, Failure>] = [:]
        @usableFromInline var serial: UInt64 = 0
        @usableFromInline var signals = Deque<Signal>()
        @usableFromInline var newest: Output?
        @usableFromInline var completion: Completion?
        @usableFromInline var upstreams: [any Subscription] = []

        @inlinable
        init(newest: Output?) {
            self.newest = newest
        }
    }

    @usableFromInline
    enum Signal: Sendable {
        case value(Output)
        /// A member that has requested the newest value and may not have it yet.
        case owed(Conduit<Output, Failure>)
    }

    @inlinable
    init(newest: Output? = nil) {
        keepsNewest = newest != nil
        shown = newest
        state = Mutex(State(newest: newest))
    }

    @inlinable
    func send(_ value: Output) {
        if !keepsNewest, gate.tryEnter() {
            deliver(value)
            settle()
            return
        }
        let isNews = state.withLock { state in
            guard state.completion == nil else { return false }
            if keepsNewest { state.newest = value }
            state.signals.append(.value(value))
            return true
        }
        if isNews, gate.enterOrMark() { drain() }
    }

    @inlinable
    func send(completion: Completion) {
        let isFirst = state.withLock { state in
            guard state.completion == nil else { return false }
            state.completion = completion
            return true
        }
        if isFirst, gate.enterOrMark() { drain() }
    }

    @usableFromInline
    func send(subscription: any Subscription) {
        let isOpen = state.withLock { state in
            if state.completion == nil { state.upstreams.append(subscription) }
            return state.completion == nil
        }
        if isOpen { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable
    func attach(_ downstream: AnySubscriber<Output, Failure>) {
        let conduit = Conduit(downstream, core: self)
        downstream.receive(subscription: ConduitSubscription(conduit))
        guard !conduit.isCancelled else { return }
        let completion = state.withLock { state -> Completion? in
            if let completion = state.completion { return completion }
            state.serial += 1
            conduit.key.store(state.serial, ordering: .relaxed)
            state.members[state.serial] = conduit
            isStale.store(true, ordering: .releasing)
            if keepsNewest { state.signals.append(.owed(conduit)) }
            return nil
        }
        if let completion {
            if conduit.close() { downstream.receive(completion: completion) }
        } else if conduit.isCancelled {
            detach(conduit)
        } else if keepsNewest, gate.enterOrMark() {
            drain()
        }
    }

    @inlinable
    func detach(_ conduit: Conduit<Output, Failure>) {
        let removed = state.withLock { $0.members.removeValue(forKey: conduit.key.load(ordering: .relaxed)) }
        guard removed != nil else { return }
        isStale.store(true, ordering: .releasing)
        // An idle gate's list would keep the subscriber until the next send.
        if gate.enterOrMark() { drain() }
    }

    /// A member of a subject that keeps its newest value has requested.
    @inlinable
    func owe(_ conduit: Conduit<Output, Failure>) {
        guard keepsNewest else { return }
        let isOpen = state.withLock { state in
            if state.completion == nil { state.signals.append(.owed(conduit)) }
            return state.completion == nil
        }
        if isOpen, gate.enterOrMark() { drain() }
    }

    @inlinable @inline(__always)
    func deliver(_ value: Output) {
        if isStale.load(ordering: .acquiring) { refresh() }
        audience.withUnsafeBufferPointer { audience in
            for conduit in audience { conduit.deliver(value) }
        }
    }

    @inlinable
    func refresh() {
        isStale.store(false, ordering: .releasing)
        audience = state.withLock { state in
            state.members.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    @inlinable @inline(__always)
    func settle() {
        if case .again = gate.leave() { drain() }
    }

    @inlinable
    func drain() {
        while true {
            // Emptied rather than refreshed: whoever went is released now, the rest is listed by the next value.
            if isStale.load(ordering: .acquiring) { audience = [] }
            while let signal = state.withLock({ $0.signals.popFirst() }) {
                switch signal {
                case .value(let value):
                    if keepsNewest { shown = value }
                    deliver(value)
                case .owed(let conduit):
                    if let shown { conduit.deliverOwed(shown) }
                }
            }
            if let completion = state.withLock({ $0.completion }) { return end(completion) }
            switch gate.leave() {
            case .left, .closed: return
            case .again: break
            }
        }
    }

    @inlinable
    func end(_ completion: Completion) {
        // Everything that was sent before the completion has been delivered; nothing can be queued behind it.
        guard gate.closeAsOwner() else { return }
        let (members, upstreams) = state.withLock { state in
            defer {
                state.members = [:]
                state.upstreams = []
            }
            return (state.members.sorted { $0.key < $1.key }.map(\.value), state.upstreams)
        }
        audience = []
        for conduit in members where conduit.close() { conduit.downstream.receive(completion: completion) }
        withExtendedLifetime(upstreams) {}
    }
}

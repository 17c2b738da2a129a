public import CThread
import Synchronization

/// The machinery under subjects and `share`: serialised fan-out in the order of subscription.
///
/// Unchecked as its base, to which it adds an inbox behind a lock, and `offered`, which is the owner's as well.
@usableFromInline
final class SubjectCore<Output: Sendable, Failure: Error>: SubjectBase, @unchecked Sendable {
    @usableFromInline
    enum Signal: Sendable {
        /// Versions count the values of a subject that keeps the latest; zero where nobody counts.
        case value(Output, version: Int)
        /// Of a shared publisher's connection.
        case shared(Output, generation: Int)
        indirect case end(Subscribers.Completion<Failure>, generation: Int)
        case completion
        case replay(ConduitHandle)
        /// The subject has gone.
        case departure
    }

    @usableFromInline
    struct Inbox: Sendable {
        @usableFromInline var signals: [Signal] = []
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var latest: Output?
        @usableFromInline var version: Int

        @inlinable
        init(latest: Output?) {
            self.latest = latest
            version = latest == nil ? 0 : 1
        }
    }

    @usableFromInline let inbox: Mutex<Inbox>
    /// An empty inbox, to be swapped with the full one. The owner's.
    @exclusivity(unchecked) @usableFromInline var spare: [Signal] = []
    /// The newest version that all were offered. The owner's.
    @exclusivity(unchecked) @usableFromInline var offered = 1

    /// - Parameter latest: The first value of a subject that keeps the latest.
    @inlinable
    init(latest: Output? = nil, countsReferences: Bool = false) {
        inbox = Mutex(Inbox(latest: latest))
        super.init(keepsLatest: latest != nil, countsReferences: countsReferences)
    }

    /// Gives a subscriber its subscription, then lets it in: no value comes before it has returned from that.
    ///
    /// - Returns: What is to be connected, if it is the first of a counted subject.
    @inlinable @inline(__always) @discardableResult
    func attach(_ subscriber: consuming AnySubscriber<Output, Failure>) -> SharedConnection? {
        let handle = ConduitHandle(self)
        let conduit = Conduit<Output, Failure>(handle, subscriber)
        conduit.subscriber.receive(subscription: handle)
        switch admit(conduit) {
        case .added(let connect): return connect
        case .closed:
            let completion = inbox.withLock { $0.completion }
            if let completion, handle.end() { conduit.subscriber.receive(completion: completion) }
            return nil
        }
    }

    /// The newest value of a subject that keeps it, which it does from its initialiser on.
    @inlinable
    var latest: Output {
        guard let latest = inbox.withLock({ $0.latest }) else {
            preconditionFailure("Only a subject that was made with a value has a latest one.")
        }
        return latest
    }

    @inlinable @inline(__always)
    func send(_ value: Output) {
        if gate.tryEnter() != nil || waitToEnter() {
            owner.store(UInt(current_thread()), ordering: .relaxed)
            deliver(value)
            if gate.leave() != .left { drain() }
        } else {
            post(.value(value, version: 0))
        }
    }

    /// Delivers a value of a connection to those who are subscribed to that one.
    @inlinable @inline(__always)
    func send(_ value: Output, of generation: Int) {
        if gate.tryEnter() != nil || waitToEnter() {
            owner.store(UInt(current_thread()), ordering: .relaxed)
            deliver(value, of: generation)
            if gate.leave() != .left { drain() }
        } else {
            post(.shared(value, generation: generation))
        }
    }

    /// Makes a value the latest and delivers it: in one step with respect to other senders, so that the last one to be
    /// delivered is the latest.
    ///
    /// - Parameter isKept: Whether it is the latest after a completion, too.
    @inlinable
    func sendLatest(_ value: Output, isKept: Bool = false) {
        let (old, version, isOwner) = inbox.withLock { inbox -> (Output?, Int, Bool) in
            let isOver = inbox.completion != nil
            if isOver, !isKept { return (nil, 0, false) }
            let old = inbox.latest
            inbox.latest = value
            if isOver { return (old, 0, false) }
            inbox.version += 1
            if inbox.signals.isEmpty, gate.tryEnter() != nil { return (old, inbox.version, true) }
            inbox.signals.append(.value(value, version: inbox.version))
            return (old, inbox.version, false)
        }
        // Lets go of the old value after the lock.
        withExtendedLifetime(old) {}
        if isOwner {
            deliver(value, version: version)
            if gate.leave() != .left { drain() }
        } else if version > 0, gate.enterOrMark() {
            drain()
        }
    }

    /// The first completion counts.
    @inlinable
    func send(completion: Subscribers.Completion<Failure>) {
        let isFirst = inbox.withLock { inbox in
            guard inbox.completion == nil else { return false }
            inbox.completion = completion
            inbox.signals.append(.completion)
            return true
        }
        if isFirst, gate.enterOrMark() { drain() }
    }

    /// The subject has gone: its subscribers are let go of, behind what was sent before.
    @usableFromInline
    func depart() {
        post(.departure)
    }

    @inlinable
    func post(_ signal: Signal) {
        inbox.withLock { inbox in
            inbox.signals.append(signal)
            isPosted.store(true, ordering: .relaxed)
        }
        if gate.enterOrMark() { drain() }
    }

    @inlinable @inline(__always)
    func deliver(_ value: Output, of generation: Int? = nil) {
        if isStale.load(ordering: .acquiring) { refreshSnapshot() }
        guard let snapshot else { return }
        if let generation, generation != self.generation { return }
        for index in 0..<count {
            snapshot[index]._withUnsafeGuaranteedRef { conduit in
                _ = unsafeDowncast(conduit, to: Conduit<Output, Failure>.self).deliver(value)
            }
        }
    }

    @inlinable
    func deliver(_ value: Output, version: Int) {
        offered = version
        if isStale.load(ordering: .acquiring) { refreshSnapshot() }
        guard let snapshot else { return }
        for index in 0..<count {
            snapshot[index]._withUnsafeGuaranteedRef { conduit in
                deliver(value, version: version, to: unsafeDowncast(conduit, to: Conduit<Output, Failure>.self))
            }
        }
    }

    /// Delivers what it hasn't seen. A newest value given on request may have overtaken older ones in the inbox.
    @inlinable @inline(__always)
    func deliver(_ value: Output, version: Int, to conduit: Conduit<Output, Failure>) {
        let seen = conduit.handle.seen
        guard version > seen else { return }
        // Before the delivery: the subscriber may be given more demand inside it.
        conduit.handle.seen = version
        if !conduit.deliver(value) { conduit.handle.seen = seen }
    }

    @inlinable
    override func drain() {
        owner.store(UInt(current_thread()), ordering: .relaxed)
        repeat {
            var signals: [Signal] = []
            swap(&signals, &spare)
            while true {
                inbox.withLock { inbox in
                    swap(&inbox.signals, &signals)
                    isPosted.store(false, ordering: .relaxed)
                }
                if signals.isEmpty { break }
                for signal in signals { handle(signal) }
                signals.removeAll(keepingCapacity: signals.count <= 256)
            }
            releaseStaleSnapshot()
            swap(&signals, &spare)
        } while gate.leave() == .again
    }

    @inlinable
    func handle(_ signal: Signal) {
        switch signal {
        case .value(let value, version: 0): deliver(value)
        case .value(let value, let version): deliver(value, version: version)
        case .shared(let value, let generation): deliver(value, of: generation)
        case .replay(let handle): replayAsOwner(to: handle)
        case .departure: abandon()
        case .completion:
            guard let completion = inbox.withLock({ $0.completion }), let conduits = close() else { return }
            end(conduits, with: completion)
        case .end(let completion, let generation):
            // There before the registry is closed, since who comes then looks for it.
            let isFirst = inbox.withLock { inbox in
                guard inbox.completion == nil else { return false }
                inbox.completion = completion
                return true
            }
            guard isFirst else { return }
            if let conduits = close(generation) {
                end(conduits, with: completion)
            } else {
                let dropped = inbox.withLock { $0.completion.take() }
                withExtendedLifetime(dropped) {}
            }
        }
    }

    @inlinable
    func end(_ conduits: [ConduitBase], with completion: Subscribers.Completion<Failure>) {
        for case let conduit as Conduit<Output, Failure> in conduits where conduit.handle.end() {
            conduit.subscriber.receive(completion: completion)
        }
    }

    @inlinable
    override func replay(to handle: ConduitHandle) {
        if gate.tryEnter() != nil {
            replayAsOwner(to: handle)
            if gate.leave() != .left { drain() }
        } else {
            post(.replay(handle))
        }
    }

    @inlinable
    func replayAsOwner(to handle: ConduitHandle) {
        // Who has seen what all were offered gets the rest from the inbox, and misses none of it.
        guard handle.seen < offered else { return }
        let (latest, version) = inbox.withLock { ($0.latest, $0.version) }
        guard let latest, let conduit = find(handle) else { return }
        deliver(latest, version: version, to: unsafeDowncast(conduit, to: Conduit<Output, Failure>.self))
    }
}

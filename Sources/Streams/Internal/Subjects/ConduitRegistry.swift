import Synchronization

/// Who is subscribed to a subject, in the order of subscription, and what the subject itself is subscribed to.
///
/// A conduit knows its index, a cancelled one leaves a gap, and gaps are closed when they outnumber the rest: adding
/// and removing take constant time, amortised, and nobody's place in the order changes.
final class ConduitRegistry: Sendable {
    struct State: Sendable {
        var slots: [ConduitBase?] = []
        var count = 0
        var isClosed = false
        var isDemanded: Bool
        var upstreams: [any Subscription] = []
        /// Of a counted subject: which connection this is.
        var generation = 0
        /// How many connects and disconnects are under way, and the connect that waits for them.
        var turns = 0
        var waiting: (@Sendable () -> Void)?
        /// How many upstreams there are when those that have ended are looked for again.
        var upstreamLimit = 8
    }

    enum Admission {
        /// It was cancelled before it could be added.
        case cancelled
        /// The subject has ended.
        case closed
        /// It is in; what is to be connected, if it is the first of a counted subject.
        case added(connect: SharedConnection?)
    }

    private let state: Mutex<State>
    /// Set while the upstreams have been asked for everything; spares the lock.
    private let isDemanded: Atomic<Bool>
    private let countsReferences: Bool

    /// - Parameters:
    ///   - countsReferences: Whether the first one in connects and the last one out disconnects.
    ///   - isDemanded: Whether upstreams are asked for everything before anybody has requested a value.
    init(countsReferences: Bool, isDemanded: Bool) {
        self.countsReferences = countsReferences
        self.isDemanded = Atomic(isDemanded)
        state = Mutex(State(isDemanded: isDemanded))
    }

    func add(_ conduit: ConduitBase) -> Admission {
        state.withLock { state in
            // Cancelling marks the handle before it takes the lock: either it's seen here, or it sees the index.
            if conduit.handle.isEnded { return .cancelled }
            if state.isClosed { return .closed }
            conduit.handle.index = state.slots.count
            state.slots.append(conduit)
            state.count += 1
            guard countsReferences, state.count == 1 else { return .added(connect: nil) }
            state.generation += 1
            let connection = SharedConnection(generation: state.generation)
            state.upstreams.append(connection)
            return .added(connect: connection)
        }
    }

    /// What was taken out: the caller lets go of it, outside the lock.
    struct Removed {
        var conduit: ConduitBase?
        /// To be cancelled, and then `endTurn()` called, by whoever took out the last one of a counted subject.
        var disconnecting: [any Subscription]?
        var waiting: (@Sendable () -> Void)?
    }

    func remove(_ handle: ConduitHandle) -> Removed {
        state.withLock { state in
            let index = handle.index
            guard index >= 0 else { return Removed() }
            handle.index = -1
            let conduit = state.slots[index]
            state.slots[index] = nil
            state.count -= 1
            while let last = state.slots.last, last == nil { state.slots.removeLast() }
            if state.slots.count > 2 * state.count + 16 { Self.compact(&state) }
            guard countsReferences, state.count == 0 else { return Removed(conduit: conduit) }
            state.isDemanded = false
            isDemanded.store(false, ordering: .releasing)
            state.turns += 1
            defer { state.upstreams = [] }
            return Removed(conduit: conduit, disconnecting: state.upstreams, waiting: state.waiting.take())
        }
    }

    /// Connects, unless everybody has gone again: now, or when the connection before has been taken down, by whoever does
    /// that. So there are never two at a time.
    func connect(_ connection: SharedConnection, _ connect: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            guard state.generation == connection.generation, !state.upstreams.isEmpty else { return false }
            if state.turns > 0 { state.waiting = connect }
            guard state.turns == 0 else { return false }
            state.turns = 1
            return true
        }
        if isDue {
            connect()
            endTurn()
        }
    }

    /// A connect or a disconnect is over: the next one's turn, in a loop and not in a recursion.
    func endTurn() {
        while true {
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                state.turns -= 1
                guard state.turns == 0, let next = state.waiting.take() else { return nil }
                state.turns = 1
                return next
            }
            guard let next else { return }
            next()
        }
    }

    /// The conduit of a handle, unless it has gone.
    func conduit(of handle: ConduitHandle) -> ConduitBase? {
        state.withLock { handle.index >= 0 ? $0.slots[handle.index] : nil }
    }

    var isEmpty: Bool {
        state.withLock { $0.count == 0 }
    }

    /// All conduits, in order, and the connection that they belong to.
    var conduits: (all: [ConduitBase], generation: Int) {
        state.withLock { ($0.slots.compactMap { $0 }, $0.generation) }
    }

    /// Takes everything out, and lets nothing in any more.
    ///
    /// - Parameter generation: The connection that has ended; nil for any.
    /// - Returns: Nil when there is another connection now, which stays.
    func close(_ generation: Int? = nil) -> (conduits: [ConduitBase], upstreams: [any Subscription])? {
        state.withLock { state in
            if let generation, generation != state.generation { return nil }
            state.isClosed = true
            let conduits = state.slots.compactMap { $0 }
            for conduit in conduits { conduit.handle.index = -1 }
            defer {
                state.slots = []
                state.count = 0
                state.upstreams = []
            }
            return (conduits, state.upstreams)
        }
    }

    /// Keeps an upstream's subscription; asks it for everything as soon as some subscriber has asked for something.
    func addUpstream(_ subscription: any Subscription) {
        let (isAccepted, isDemanded, left) = state.withLock { state -> (Bool, Bool, [any Subscription]) in
            guard !state.isClosed else { return (false, false, []) }
            let left = state.upstreams.count < state.upstreamLimit ? [] : Self.forgetEnded(&state)
            state.upstreams.append(subscription)
            return (true, state.isDemanded, left)
        }
        // Let go of outside the lock.
        withExtendedLifetime(left) {}
        if !isAccepted {
            subscription.cancel()
        } else if isDemanded {
            subscription.request(.unlimited)
        }
    }

    /// A subscriber has asked for something. Where it was cancelled meanwhile the connection that it asked of may be over, and the next
    /// one has been asked for nothing.
    func demand(of handle: ConduitHandle) {
        guard !isDemanded.load(ordering: .acquiring) else { return }
        let upstreams = state.withLock { state -> [any Subscription] in
            guard handle.index >= 0, !state.isDemanded else { return [] }
            state.isDemanded = true
            isDemanded.store(true, ordering: .releasing)
            return state.upstreams
        }
        for upstream in upstreams { upstream.request(.unlimited) }
    }

    /// Takes out the upstreams that were cancelled or have ended. As it doubles what it allows for, an upstream more takes
    /// constant time, amortised.
    private static func forgetEnded(_ state: inout State) -> [any Subscription] {
        let all = state.upstreams
        state.upstreams = all.filter { ($0 as? UpstreamSlot)?.isDone != true }
        state.upstreamLimit = Swift.max(8, 2 * state.upstreams.count)
        return all
    }

    private static func compact(_ state: inout State) {
        state.slots.removeAll { $0 == nil }
        for (index, conduit) in state.slots.enumerated() { conduit?.handle.index = index }
    }
}

import Streams
import Synchronization

/// The highest of several priorities, live: members come, go and change their level.
final class SharedPriority: Sendable {
    /// The highest level of those who are there; that of the last one once all have left.
    let live: LivePriority
    /// The number of members at each level.
    private let counts = Mutex(SIMD4<Int>.zero)

    init(_ level: LoadPriority.Level) {
        live = LivePriority(level)
    }

    /// Adds a member, which what is returned removes.
    func join(_ priority: LoadPriority) -> any Cancellable {
        let member = SharedPriorityMember(of: self)
        member.follow(priority)
        return member
    }

    fileprivate func move(from old: LoadPriority.Level?, to new: LoadPriority.Level?) {
        counts.withLock { counts in
            if let old { counts[old.rawValue] -= 1 }
            if let new { counts[new.rawValue] += 1 }
        }
        // Whoever was overtaken between these two lines sees it in its next turn.
        while let highest, live.level != highest { live.level = highest }
    }

    private var highest: LoadPriority.Level? {
        let counts = counts.withLock { $0 }
        return counts.indices.last { counts[$0] > 0 }.flatMap { LoadPriority.Level(rawValue: $0) }
    }
}

/// One of those who share a priority; it leaves when it is cancelled.
private final class SharedPriorityMember: Cancellable, Sendable {
    private struct State: Sendable {
        /// The level that it counts for.
        var level: LoadPriority.Level?
        var hasLeft = false
        var changes: PriorityObservation?
    }

    private let shared: SharedPriority
    private let state = Mutex(State())

    init(of shared: SharedPriority) {
        self.shared = shared
    }

    func follow(_ priority: LoadPriority) {
        if case .live(let live) = priority {
            let changes = live.observe { [weak self] in self?.count(for: .live($0)) }
            state.withLock { $0.changes = changes }
        }
        count(for: priority)
    }

    private func count(for priority: LoadPriority) {
        let change = state.withLock { state -> (old: LoadPriority.Level?, new: LoadPriority.Level)? in
            guard !state.hasLeft else { return nil }
            let change = (state.level, priority.level)
            state.level = change.1
            return change
        }
        if let change { shared.move(from: change.old, to: change.new) }
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = State(hasLeft: true) }
            return state
        }
        last.changes?.cancel()
        if let level = last.level { shared.move(from: level, to: nil) }
    }
}

import Streams
import Synchronization

/// The highest of several priorities, live: members come, go and change their level.
final class SharedPriority: Sendable {
    /// The highest level of those who are there; that of the last one once all have left.
    let live: LivePriority
    /// The number of members at each level.
    private let counts = Mutex(LoadPriority.Level.allCases.map { _ in 0 })

    init(_ level: LoadPriority.Level) {
        live = LivePriority(level)
    }

    /// Adds a member, which what is returned removes.
    func join(_ priority: LoadPriority) -> any Cancellable {
        switch priority {
        case .fixed(let fixed):
            move(from: nil, to: fixed)
            return Disposable { self.move(from: fixed, to: nil) }
        case .live(let priority):
            let place = Place()
            let changes = priority.levels.sink { new in
                if let old = place.exchange(new) { self.move(from: old.level, to: new) }
            }
            return Disposable {
                changes.cancel()
                if let last = place.leave() { self.move(from: last, to: nil) }
            }
        }
    }

    private func move(from old: LoadPriority.Level?, to new: LoadPriority.Level?) {
        counts.withLock { counts in
            if let old { counts[old.rawValue] -= 1 }
            if let new { counts[new.rawValue] += 1 }
        }
        // Whoever was overtaken between these two lines sees it in its next turn.
        while let highest, live.level != highest { live.level = highest }
    }

    private var highest: LoadPriority.Level? {
        counts.withLock { $0.lastIndex { $0 > 0 } }.flatMap { LoadPriority.Level(rawValue: $0) }
    }
}

/// The level that a member with a live priority counts for.
private final class Place: Sendable {
    private enum State: Sendable {
        case none
        case counted(LoadPriority.Level)
        case left
    }

    private let state = Mutex(State.none)

    /// - Returns: the level that it had, if any; nil if it has left.
    func exchange(_ new: LoadPriority.Level) -> (level: LoadPriority.Level?, Void)? {
        state.withLock { state in
            switch state {
            case .left: return nil
            case .none:
                state = .counted(new)
                return (nil, ())
            case .counted(let old):
                state = .counted(new)
                return (old, ())
            }
        }
    }

    func leave() -> LoadPriority.Level? {
        state.withLock { state in
            defer { state = .left }
            if case .counted(let level) = state { return level }
            return nil
        }
    }
}

import Streams
import Synchronization

/// The place of a load among those that wait for the same thing.
public enum LoadPriority: Sendable, Hashable {
    /// A level, from the one that waits longest.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// One of three levels, from the lowest: of the loads that may begin, those of the highest do first.
        case low, normal, high

        public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// A level that stays.
    case fixed(Level)
    /// A level that may change while the load waits.
    case live(LivePriority)

    /// The lowest level: for images that somebody may want to see later.
    public static let low = LoadPriority.fixed(.low)
    /// The default level.
    public static let normal = LoadPriority.fixed(.normal)
    /// The highest level: for images that somebody is looking at.
    public static let high = LoadPriority.fixed(.high)

    /// The level at this moment.
    public var level: Level {
        switch self {
        case .fixed(let level): level
        case .live(let priority): priority.level
        }
    }
}

/// A priority that can be changed while the loads that have it wait, for instance when a cell scrolls into view.
///
///     let visibility = LivePriority(.low)
///     request.priority = .live(visibility)
///     …
///     visibility.level = .high
///
/// Changing it takes logarithmic time for each load that waits with it. Any thread may do it.
public final class LivePriority: Sendable, Hashable {
    private struct Observers: Sendable {
        var changes: [Int: @Sendable (LivePriority) -> Void] = [:]
        var next = 0
    }

    private let current: Atomic<Int>
    private let observers = Mutex(Observers())

    /// Creates a priority that begins at a level.
    ///
    /// - Parameter level: The priority.
    public init(_ level: LoadPriority.Level = .normal) {
        current = Atomic(level.rawValue)
    }

    /// The current level. Loads that wait take their new place before the setter returns.
    public var level: LoadPriority.Level {
        get { LoadPriority.Level(rawValue: current.load(ordering: .acquiring)) ?? .normal }
        set {
            current.store(newValue.rawValue, ordering: .releasing)
            for change in observers.withLock({ $0.changes }).values { change(self) }
        }
    }

    /// A publisher of the level, now and whenever it changes.
    public var levels: AnyPublisher<LoadPriority.Level, Never> {
        Deferred { [self] in
            let subject = CurrentValueSubject<LoadPriority.Level, Never>(level)
            @Sendable func update(to priority: LivePriority) {
                // Whoever is overtaken here by another setter looks once more.
                while subject.value != priority.level { subject.value = priority.level }
            }
            let id = addObserver(update)
            update(to: self)
            // The priority holds the subject, which holds its subscribers: none of these holds the priority.
            return subject.handleEvents(receiveCancel: { [weak self] in self?.removeObserver(id) })
        }.eraseToAnyPublisher()
    }

    /// Calls a closure whenever the level is set, on the setter's thread, until what is returned is cancelled or released. Takes a fraction
    /// of a subscription's time, of which each load would need four.
    ///
    /// Calls of several setters may come at once and in any order. Whoever keeps the level reads it under the lock that it keeps it under, here
    /// and once behind this call: then the last to do so reads the newest.
    func observe(_ change: @escaping @Sendable (LivePriority) -> Void) -> PriorityObservation {
        PriorityObservation(of: self, addObserver(change))
    }

    private func addObserver(_ change: @escaping @Sendable (LivePriority) -> Void) -> Int {
        observers.withLock { observers in
            defer { observers.next += 1 }
            observers.changes[observers.next] = change
            return observers.next
        }
    }

    /// The number of closures that are called.
    var observerCount: Int { observers.withLock { $0.changes.count } }

    fileprivate func removeObserver(_ id: Int) {
        let change = observers.withLock { $0.changes.removeValue(forKey: id) }
        withExtendedLifetime(change) {}
    }

    public static func == (lhs: LivePriority, rhs: LivePriority) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A closure that hears of the changes of a priority.
final class PriorityObservation: Cancellable, Sendable {
    private let priority: LivePriority
    private let id: Int

    fileprivate init(of priority: LivePriority, _ id: Int) {
        self.priority = priority
        self.id = id
    }

    deinit { cancel() }

    func cancel() { priority.removeObserver(id) }
}

import Streams

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
    private let subject: CurrentValueSubject<LoadPriority.Level, Never>

    /// Creates a priority that begins at a level.
    ///
    /// - Parameter level: The priority.
    public init(_ level: LoadPriority.Level = .normal) {
        subject = CurrentValueSubject(level)
    }

    /// The current level. Loads that wait take their new place before the setter returns.
    public var level: LoadPriority.Level {
        get { subject.value }
        set { subject.value = newValue }
    }

    /// A publisher of the level, now and whenever it is set.
    public var levels: AnyPublisher<LoadPriority.Level, Never> {
        subject.eraseToAnyPublisher()
    }

    public static func == (lhs: LivePriority, rhs: LivePriority) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

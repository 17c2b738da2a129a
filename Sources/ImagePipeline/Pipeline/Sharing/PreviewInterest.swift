import Synchronization

/// A record of whether any subscriber of a shared load wants degraded values at the moment.
///
/// ``Source/coalesced()`` gives one to each load. A source that makes previews asks ``isWanted`` before each one: it is `false` while
/// no subscriber waits for one, because those who share the load want none or have not requested an event.
public final class PreviewInterest: Sendable, Hashable {
    private let waiting = Atomic(0)

    /// Creates an interest without waiting subscribers.
    public init() {}

    /// A Boolean value that indicates whether somebody waits for a degraded value now.
    public var isWanted: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// Counts more of those who wait, or fewer.
    ///
    /// - Parameter change: The number of those who have begun to wait, less that of those who no longer do.
    public func count(_ change: Int) {
        waiting.wrappingAdd(change, ordering: .relaxed)
    }

    public static func == (lhs: PreviewInterest, rhs: PreviewInterest) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

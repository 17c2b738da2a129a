import Synchronization

/// A request that tells a shared load what those who share it want.
///
/// `coalesced(by:)` gives the load one request for all of them, with the highest of their priorities and their interest in
/// degraded values, both live.
public protocol ShareableRequest: Sendable {
    /// A Boolean value that determines whether degraded values are delivered.
    var previews: Bool { get set }
    /// The place among loads that wait.
    var priority: LoadPriority { get set }
    /// The live interest in degraded values of those who share the load; nil for one who does not share it.
    var previewInterest: PreviewInterest? { get set }
}

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

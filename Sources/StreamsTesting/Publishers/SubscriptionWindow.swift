import Streams

/// What one subscriber of a test publisher saw and did.
public struct SubscriptionWindow: Sendable, Equatable {
    /// How it ended.
    public enum End: Sendable, Equatable {
        /// It was cancelled.
        case cancelled
        /// The publisher finished or failed.
        case completed
    }

    /// When it began.
    public let start: VirtualTime
    /// When and how it ended; nil while it goes on.
    public internal(set) var end: (time: VirtualTime, how: End)?
    /// What was requested, and when.
    public internal(set) var requests: [(time: VirtualTime, demand: Subscribers.Demand)] = []
    /// How often `cancel` was called, after the end too.
    public internal(set) var cancels = 0
    /// How often `request` was called after the end.
    public internal(set) var lateRequests = 0
    /// How many values were delivered.
    public internal(set) var delivered = 0
    /// How many values of a hot publisher nobody had requested.
    public internal(set) var dropped = 0

    /// All that was requested.
    public var requested: Subscribers.Demand {
        requests.reduce(.none) { $0 + $1.demand }
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.start == rhs.start && lhs.end?.time == rhs.end?.time && lhs.end?.how == rhs.end?.how
            && lhs.requests.elementsEqual(rhs.requests, by: ==) && lhs.cancels == rhs.cancels
            && lhs.lateRequests == rhs.lateRequests && lhs.delivered == rhs.delivered && lhs.dropped == rhs.dropped
    }
}

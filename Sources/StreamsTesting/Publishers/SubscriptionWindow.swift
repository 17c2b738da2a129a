import Streams

/// A record of one subscriber of a test publisher.
public struct SubscriptionWindow: Sendable, Equatable {
    /// The way in which a subscription ended.
    public enum End: Sendable, Equatable {
        /// The subscriber cancelled.
        case cancelled
        /// The publisher finished or failed.
        case completed
    }

    /// The moment at which the subscription began.
    public let start: VirtualTime
    /// The moment and the way of its end; nil while it goes on.
    public internal(set) var end: (time: VirtualTime, how: End)?
    /// The requests and their moments.
    public internal(set) var requests: [(time: VirtualTime, demand: Subscribers.Demand)] = []
    /// The number of calls of `cancel`, including those after the end.
    public internal(set) var cancels = 0
    /// The number of calls of `request` after the end.
    public internal(set) var lateRequests = 0
    /// The number of values that were delivered.
    public internal(set) var delivered = 0
    /// The number of a hot publisher's values that were dropped because they were not requested.
    public internal(set) var dropped = 0

    /// The sum of the requests.
    public var requested: Subscribers.Demand {
        requests.reduce(.none) { $0 + $1.demand }
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.start == rhs.start && lhs.end?.time == rhs.end?.time && lhs.end?.how == rhs.end?.how
            && lhs.requests.elementsEqual(rhs.requests, by: ==) && lhs.cancels == rhs.cancels
            && lhs.lateRequests == rhs.lateRequests && lhs.delivered == rhs.delivered && lhs.dropped == rhs.dropped
    }
}

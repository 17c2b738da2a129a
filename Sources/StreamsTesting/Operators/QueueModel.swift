import Streams

/// A model of a queue with demand, such as that of `buffer` or `create`: a pure function of what happens in which
/// order, in which deliveries take no time.
///
/// Tell it of each value, request and end when it happens, and of demand that is returned for a value when it is returned;
/// `values` and `end` are what must have been delivered when nothing is in flight any more.
public struct QueueModel<Value: Sendable>: Sendable {
    /// The treatment of a value that finds neither demand nor room.
    public typealias Overflow = QueueOverflow

    /// The number of values without demand that are kept.
    public let limit: Int
    /// The treatment of a value that finds neither demand nor room.
    public let overflow: QueueOverflow
    /// The ends that drop the values that are kept, instead of waiting for them to be requested.
    public let overtaking: QueueOvertaking
    /// A Boolean value that indicates whether a value that comes while another is being delivered finds its demand or room only
    /// when that has returned.
    public let waitsForDelivery: Bool
    /// A Boolean value that indicates whether an end waits for demand as a value does.
    public let endNeedsDemand: Bool
    /// The values that have found demand, in order: those that are delivered, sooner or later.
    public private(set) var values: [Value] = []
    /// The end of the stream after those values; nil while it goes on.
    public var end: ModelEnd? { kept.isEmpty && !(endNeedsDemand && demand == .none) ? sentEnd : nil }
    /// The demand that is left after those values; none once an end has been sent.
    public var requested: Subscribers.Demand { sentEnd == nil ? demand : .none }

    private var demand = Subscribers.Demand.none
    private var kept: [Value] = []
    private var sentEnd: ModelEnd?

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - limit: The largest number of values without demand that are kept.
    ///   - overflow: The treatment of a value that finds neither demand nor room.
    ///   - overtaking: The ends that drop the values that are kept.
    ///   - waitsForDelivery: A Boolean value that determines whether a value that comes while another is being delivered finds its
    ///     demand or room only when that has returned.
    ///   - endNeedsDemand: A Boolean value that determines whether an end waits for demand as a value does.
    public init(
        keeping limit: Int = .max, _ overflow: QueueOverflow = .dropNewest, overtaking: QueueOvertaking = .nothing,
        waitsForDelivery: Bool = false, endNeedsDemand: Bool = false
    ) {
        self.limit = limit
        self.overflow = overflow
        self.overtaking = overtaking
        self.waitsForDelivery = waitsForDelivery
        self.endNeedsDemand = endNeedsDemand
    }

    /// Adds demand.
    ///
    /// - Parameter more: The number of values that are requested.
    public mutating func request(_ more: Subscribers.Demand) {
        demand += more
        while demand > .none, !kept.isEmpty {
            demand -= 1
            values.append(kept.removeFirst())
        }
    }

    /// Adds a value.
    ///
    /// - Parameter value: The value to add.
    public mutating func send(_ value: Value) {
        guard sentEnd == nil else { return }
        if demand > .none {
            demand -= 1
            return values.append(value)
        }
        if kept.count < limit { return kept.append(value) }
        switch overflow {
        case .dropNewest: break
        case .dropOldest: kept = (kept + [value]).suffix(limit)
        case .fail(let label):
            kept = []
            sentEnd = .failed(label)
        }
    }

    /// Adds the end.
    ///
    /// - Parameter end: The end to add.
    public mutating func send(_ end: ModelEnd) {
        guard sentEnd == nil else { return }
        sentEnd = end
        switch overtaking {
        case .anyEnd: kept = []
        case .failure: if end != .finished { kept = [] }
        case .nothing: break
        }
    }
}

extension QueueModel: Equatable where Value: Equatable {}

/// The treatment of a value that finds neither demand nor room in a queue.
public enum QueueOverflow: Sendable, Hashable {
    /// Drops the value that comes, or the oldest of those that are kept.
    case dropNewest, dropOldest
    /// Ends the stream with this failure.
    case fail(String)
}

/// The ends of a stream that drop what is kept in a queue.
public enum QueueOvertaking: Sendable, Hashable {
    /// No end, a failure alone, or a failure and a finish.
    case nothing, failure, anyEnd
}

/// The treatment of values that `create` finds no demand for.
///
/// A value finds demand where more was requested, or returned for values, than has been sent before it. Then it is
/// delivered and counts for no limit, though others may have to be delivered first. A value that finds none is kept, dropped
/// or fails the stream; what is kept is delivered when it is requested, the oldest first. The outcome depends on the order
/// of sends and requests alone, not on how long deliveries take.
public struct BackpressureStrategy<Failure: Error>: Sendable {
    @usableFromInline
    enum Overflow: Sendable {
        case dropOldest, dropNewest
        case fail(@Sendable () -> Failure)
    }

    /// How many values without demand are kept.
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow
    /// Whether a failure drops what is kept instead of waiting behind it.
    @usableFromInline let failsAtOnce: Bool

    @inlinable
    init(limit: Int, overflow: Overflow, failsAtOnce: Bool = false) {
        self.limit = limit
        self.overflow = overflow
        self.failsAtOnce = failsAtOnce
    }

    /// Keeps every value until it is requested.
    @inlinable
    public static var unbounded: BackpressureStrategy { BackpressureStrategy(limit: .max, overflow: .dropNewest) }

    /// Keeps up to `limit` of the newest values; the oldest value without demand is dropped.
    ///
    /// - Precondition: `limit` is not negative.
    ///
    /// - Parameter limit: The largest number of values to keep.
    @inlinable
    public static func buffer(_ limit: Int) -> BackpressureStrategy {
        precondition(limit >= 0, "A buffer holds zero values or more.")
        return BackpressureStrategy(limit: limit, overflow: .dropOldest)
    }

    /// Keeps the newest value.
    @inlinable
    public static var latest: BackpressureStrategy { buffer(1) }

    /// Keeps nothing: a value that finds no demand is dropped.
    @inlinable
    public static var dropNewest: BackpressureStrategy { BackpressureStrategy(limit: 0, overflow: .dropNewest) }

    /// Keeps nothing: a value that finds no demand ends the stream with a failure, after the values that found some.
    ///
    /// - Parameter failure: The failure.
    @inlinable
    public static func fail(_ failure: Failure) -> BackpressureStrategy {
        BackpressureStrategy(limit: 0, overflow: .fail { failure })
    }
}

/// The newest values, up to a number of them, in a ring.
@frozen
public struct RecentValues<Value: Sendable>: Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline var ring: [Value] = []
    @usableFromInline var oldest = 0

    @inlinable
    init(_ capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a value.
    ///
    /// - Returns: The value that had to leave.
    @inlinable
    mutating func push(_ value: Value) -> Value? {
        guard capacity > 0 else { return value }
        guard ring.count == capacity else {
            ring.append(value)
            return nil
        }
        defer {
            ring[oldest] = value
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        }
        return ring[oldest]
    }

    /// From the oldest to the newest.
    @inlinable
    var values: [Value] { Array(ring[oldest...] + ring[..<oldest]) }
}

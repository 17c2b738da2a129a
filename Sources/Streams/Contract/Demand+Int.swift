extension Subscribers.Demand {
    /// Returns a Boolean value that indicates whether the demand is for exactly a count; unlimited equals no count.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func == (lhs: Self, rhs: Int) -> Bool { lhs.max == rhs }

    /// Returns a Boolean value that indicates whether the demand is for exactly a count; unlimited equals no count.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }

    /// Returns a Boolean value that indicates whether the demand is for another number than a count.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func != (lhs: Self, rhs: Int) -> Bool { lhs.max != rhs }

    /// Returns a Boolean value that indicates whether the demand is for another number than a count.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func != (lhs: Int, rhs: Self) -> Bool { rhs != lhs }

    /// Returns a Boolean value that indicates whether the demand is for less than a count.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func < (lhs: Self, rhs: Int) -> Bool { lhs.count < rhs }

    /// Returns a Boolean value that indicates whether the demand is for more than a count.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

    /// Returns a Boolean value that indicates whether the demand is for no more than a count.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 <= rhs } ?? false }

    /// Returns a Boolean value that indicates whether the demand is for a count at least.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

    /// Returns a Boolean value that indicates whether the demand is for more than a count.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func > (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 > rhs } ?? true }

    /// Returns a Boolean value that indicates whether the demand is for less than a count.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }

    /// Returns a Boolean value that indicates whether the demand is for a count at least.
    ///
    /// - Parameters:
    ///   - lhs: The demand.
    ///   - rhs: The count.
    @inlinable @inline(__always)
    public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.count >= rhs }

    /// Returns a Boolean value that indicates whether the demand is for no more than a count.
    ///
    /// - Parameters:
    ///   - lhs: The count.
    ///   - rhs: The demand.
    @inlinable @inline(__always)
    public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }
}

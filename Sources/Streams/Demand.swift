extension Subscribers {
    /// How many values a subscriber wants. Arithmetic never overflows: it saturates at `.unlimited` and at `.none`.
    @frozen
    public struct Demand: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
        /// The count; `Int.max` stands for unlimited.
        @usableFromInline
        let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            self.count = count
        }

        /// As many as there are.
        public static var unlimited: Demand {
            @inlinable @inline(__always) get { Demand(count: .max) }
        }

        /// No more than was requested before.
        public static var none: Demand {
            @inlinable @inline(__always) get { Demand(count: 0) }
        }

        /// At most that many.
        ///
        /// - Precondition: `value` is not negative.
        @inlinable @inline(__always)
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "A demand is a number of values; pass zero or more.")
            return Demand(count: value)
        }

        /// The count, or nil when it is unlimited.
        public var max: Int? {
            @inlinable @inline(__always) get { count == .max ? nil : count }
        }

        /// The sum; unlimited absorbs everything.
        @inlinable @inline(__always)
        public static func + (lhs: Demand, rhs: Demand) -> Demand {
            let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
            return Demand(count: overflow ? .max : sum)
        }

        /// The sum of a demand and a count.
        ///
        /// - Precondition: `rhs` is not negative.
        @inlinable @inline(__always)
        public static func + (lhs: Demand, rhs: Int) -> Demand {
            lhs + .max(rhs)
        }

        /// What is left; never less than `.none`. Unlimited minus anything finite stays unlimited.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Demand) -> Demand {
            if lhs.count == .max { return rhs.count == .max ? .none : .unlimited }
            return Demand(count: Swift.max(0, lhs.count - rhs.count))
        }

        /// What is left of a demand when a count is taken off.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Int) -> Demand {
            lhs - .max(rhs)
        }

        /// The product; unlimited times zero is none.
        ///
        /// - Precondition: `rhs` is not negative.
        @inlinable
        public static func * (lhs: Demand, rhs: Int) -> Demand {
            precondition(rhs >= 0, "A demand is a number of values; multiply it by zero or more.")
            let (product, overflow) = lhs.count.multipliedReportingOverflow(by: rhs)
            return Demand(count: overflow ? .max : product)
        }

        /// Adds in place.
        @inlinable @inline(__always)
        public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
        /// Adds in place.
        @inlinable @inline(__always)
        public static func += (lhs: inout Demand, rhs: Int) { lhs = lhs + rhs }
        /// Takes off in place.
        @inlinable @inline(__always)
        public static func -= (lhs: inout Demand, rhs: Demand) { lhs = lhs - rhs }
        /// Takes off in place.
        @inlinable @inline(__always)
        public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
        /// Multiplies in place.
        @inlinable
        public static func *= (lhs: inout Demand, rhs: Int) { lhs = lhs * rhs }

        @inlinable @inline(__always)
        public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }
        /// Whether the demand is for more than that many.
        @inlinable @inline(__always)
        public static func > (lhs: Demand, rhs: Int) -> Bool { lhs.count > rhs }
        /// Whether the demand is for exactly that many; unlimited equals no count.
        @inlinable @inline(__always)
        public static func == (lhs: Demand, rhs: Int) -> Bool { lhs.max == rhs }

        public var description: String {
            max.map { "max(\($0))" } ?? "unlimited"
        }
    }
}

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

        /// At most that many; none when that is negative.
        @inlinable @inline(__always)
        public static func max(_ value: Int) -> Demand {
            Demand(count: Swift.max(0, value))
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

        /// The sum of a demand and a count; a negative one is taken off.
        @inlinable @inline(__always)
        public static func + (lhs: Demand, rhs: Int) -> Demand {
            if lhs.count == .max { return lhs }
            let (sum, overflow) = lhs.count.addingReportingOverflow(rhs)
            return overflow ? .unlimited : .max(sum)
        }

        /// What is left; never less than `.none`. Unlimited minus anything finite stays unlimited.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Demand) -> Demand {
            if lhs.count == .max { return rhs.count == .max ? .none : .unlimited }
            return Demand(count: Swift.max(0, lhs.count - rhs.count))
        }

        /// Returns the rest of a demand when a count is taken off; a negative one is added.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Int) -> Demand {
            if lhs.count == .max { return lhs }
            let (rest, overflow) = lhs.count.subtractingReportingOverflow(rhs)
            return overflow ? .unlimited : .max(rest)
        }

        /// The product; unlimited times zero is none, and so is anything times less than that.
        @inlinable
        public static func * (lhs: Demand, rhs: Int) -> Demand {
            guard rhs > 0 else { return .none }
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

        private enum CodingKeys: CodingKey {
            case count
        }

        /// Reads what `encode(to:)` has written. A negative count is corrupt data.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let count = try container.decode(Int.self, forKey: .count)
            guard count >= 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .count, in: container, debugDescription: "A demand is no negative number of values.")
            }
            self.init(count: count)
        }

        public var description: String {
            max.map { "max(\($0))" } ?? "unlimited"
        }
    }
}

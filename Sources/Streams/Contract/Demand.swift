extension Subscribers {
    /// The number of values that a subscriber requests. Arithmetic never overflows: it saturates at `.unlimited` and at
    /// `.none`.
    @frozen
    public struct Demand: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
        /// The count; `Int.max` stands for unlimited.
        @usableFromInline
        let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            self.count = count
        }

        /// A request for all values.
        public static var unlimited: Demand {
            @inlinable @inline(__always) get { Demand(count: .max) }
        }

        /// No additional values.
        public static var none: Demand {
            @inlinable @inline(__always) get { Demand(count: 0) }
        }

        /// Returns a request for up to `value` values; none when `value` is negative.
        ///
        /// - Parameter value: The number of values; a negative one counts as zero.
        @inlinable @inline(__always)
        public static func max(_ value: Int) -> Demand {
            Demand(count: Swift.max(0, value))
        }

        /// The number of requested values, or nil when it is unlimited.
        public var max: Int? {
            @inlinable @inline(__always) get { count == .max ? nil : count }
        }

        /// Returns the sum of two demands; unlimited absorbs everything.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func + (lhs: Demand, rhs: Demand) -> Demand {
            let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
            return Demand(count: overflow ? .max : sum)
        }

        /// Adds the demand to one that is kept in the low bits of a word, all ones of which mean unlimited; the other bits stay.
        @inlinable @inline(__always)
        func added(to word: UInt, in mask: UInt) -> UInt {
            let sum = (word & mask) + Swift.min(UInt(count), mask)
            return (word & ~mask) | Swift.min(sum, mask)
        }

        /// Returns the sum of a demand and a count; a negative count is subtracted.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func + (lhs: Demand, rhs: Int) -> Demand {
            if lhs.count == .max { return lhs }
            let (sum, overflow) = lhs.count.addingReportingOverflow(rhs)
            return overflow ? .unlimited : .max(sum)
        }

        /// Returns the difference of two demands, never less than `.none`. Unlimited minus anything stays unlimited.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Demand) -> Demand {
            if lhs.count == .max { return lhs }
            return Demand(count: Swift.max(0, lhs.count - rhs.count))
        }

        /// Returns a demand less a count; a negative count is added.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func - (lhs: Demand, rhs: Int) -> Demand {
            if lhs.count == .max { return lhs }
            let (rest, overflow) = lhs.count.subtractingReportingOverflow(rhs)
            return overflow ? .unlimited : .max(rest)
        }

        /// Returns a demand multiplied by a count; unlimited times zero is none, and so is anything times less than
        /// zero.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable
        public static func * (lhs: Demand, rhs: Int) -> Demand {
            guard rhs > 0 else { return .none }
            let (product, overflow) = lhs.count.multipliedReportingOverflow(by: rhs)
            return Demand(count: overflow ? .max : product)
        }

        /// Adds a demand in place.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
        /// Adds a count in place.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func += (lhs: inout Demand, rhs: Int) { lhs = lhs + rhs }
        /// Subtracts a demand in place.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func -= (lhs: inout Demand, rhs: Demand) { lhs = lhs - rhs }
        /// Subtracts a count in place.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable @inline(__always)
        public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
        /// Multiplies in place.
        ///
        /// - Parameters:
        ///   - lhs: The first operand.
        ///   - rhs: The second operand.
        @inlinable
        public static func *= (lhs: inout Demand, rhs: Int) { lhs = lhs * rhs }

        @inlinable @inline(__always)
        public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }

        /// Decodes a number of values. One that no count reaches is unlimited; a negative one is corrupt data.
        ///
        /// - Parameter decoder: The decoder.
        public init(from decoder: any Decoder) throws {
            self.init(count: Int(clamping: try decoder.singleValueContainer().decode(UInt.self)))
        }

        /// Encodes the number of values, as Combine does: `42`; unlimited is one more than the largest count.
        ///
        /// - Parameter encoder: The encoder.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(max.map { UInt($0) } ?? UInt(Int.max) + 1)
        }

        public var description: String {
            max.map { "max(\($0))" } ?? "unlimited"
        }
    }
}

public import Foundation
public import Streams

/// A moment of the wall clock, the time of run loops and operation queues.
public struct DateTime: Strideable, Hashable, Codable, Sendable {
    /// The moment as a date.
    public var date: Date

    /// Creates a moment.
    ///
    /// - Parameter date: The moment as a date.
    public init(_ date: Date) {
        self.date = date
    }

    public func distance(to other: DateTime) -> Stride {
        Stride(other.date.timeIntervalSince(date))
    }

    public func advanced(by stride: Stride) -> DateTime {
        DateTime(date.addingTimeInterval(stride.timeInterval))
    }

    /// A span of time in seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Hashable,
        Codable, Sendable
    {
        /// The number of seconds.
        public var magnitude: TimeInterval
        /// The number of seconds.
        public var timeInterval: TimeInterval { magnitude }

        /// Creates a span of time.
        ///
        /// - Parameter timeInterval: The number of seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
        public init(integerLiteral value: TimeInterval) { magnitude = value }
        public init(floatLiteral value: TimeInterval) { magnitude = value }
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let seconds = TimeInterval(exactly: source) else { return nil }
            magnitude = seconds
        }

        public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
        public static func seconds(_ s: Double) -> Stride { Stride(s) }
        public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1e3) }
        public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1e6) }
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1e9) }

        public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
        public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
        public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
        public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
        public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
        public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
        public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
}

import Dispatch
import Streams

/// A moment of virtual time, in nanoseconds since the scheduler was made.
public struct VirtualTime: Strideable, Hashable, Sendable, CustomStringConvertible {
    /// A span of time in nanoseconds, as that of Dispatch's queues.
    public typealias Stride = DispatchQueue.SchedulerTimeType.Stride

    /// The number of nanoseconds since the scheduler was made.
    public let nanoseconds: Int

    /// Creates a moment.
    ///
    /// - Parameter nanoseconds: The number of nanoseconds since the scheduler was made.
    public init(nanoseconds: Int) {
        self.nanoseconds = nanoseconds
    }

    /// The moment when every virtual clock starts.
    public static let zero = VirtualTime(nanoseconds: 0)

    public func distance(to other: VirtualTime) -> Stride {
        Stride.nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    public func advanced(by stride: Stride) -> VirtualTime {
        VirtualTime(nanoseconds: (Stride.nanoseconds(nanoseconds) + stride).magnitude)
    }

    public var description: String {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest == 0 ? "\(milliseconds) ms" : "\(nanoseconds) ns"
    }
}

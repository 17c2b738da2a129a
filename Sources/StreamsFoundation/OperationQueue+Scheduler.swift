public import Foundation
public import Streams

extension OperationQueue: Scheduler {
    public typealias SchedulerTimeType = DateTime

    /// An empty set of options.
    public struct SchedulerOptions: Sendable {}

    public var now: DateTime { DateTime(Date()) }
    public var minimumTolerance: DateTime.Stride { 0 }

    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        addOperation(action)
    }

    @preconcurrency
    public func schedule(
        after date: DateTime, tolerance: DateTime.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        OperationQueue.clock.schedule(after: .init(.now() + max(0, now.distance(to: date).timeInterval))) {
            self.addOperation(action)
        }
    }

    @preconcurrency
    public func schedule(
        after date: DateTime, interval: DateTime.Stride, tolerance: DateTime.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        OperationQueue.clock.schedule(
            after: .init(.now() + max(0, now.distance(to: date).timeInterval)),
            interval: .seconds(interval.timeInterval)
        ) { self.addOperation(action) }
    }

    /// Time passes here; what is due goes to the queue.
    private static let clock = DispatchQueue(label: "StreamsFoundation.OperationQueue.clock")
}

public import Foundation
public import Streams

/// The members that Combine gives run loops as schedulers.
extension RunLoop {
    /// A moment of a run loop's time.
    public typealias SchedulerTimeType = DateTime
    /// The options with which work is scheduled; there are none.
    public typealias SchedulerOptions = RunLoopScheduler.SchedulerOptions

    /// The current moment.
    public var now: DateTime { RunLoopScheduler(self).now }
    /// The smallest tolerance that makes a difference.
    public var minimumTolerance: DateTime.Stride { RunLoopScheduler(self).minimumTolerance }

    /// Runs work as soon as possible, on the run loop's thread.
    ///
    /// - Parameters:
    ///   - options: The options with which work is scheduled.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(options: SchedulerOptions? = nil, _ action: @escaping @Sendable () -> Void) {
        RunLoopScheduler(self).schedule(options: options, action)
    }

    /// Runs work at a moment, on the run loop's thread.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(
        after date: DateTime, tolerance: DateTime.Stride = 0, options: SchedulerOptions? = nil,
        _ action: @escaping @Sendable () -> Void
    ) {
        RunLoopScheduler(self).schedule(after: date, tolerance: tolerance, options: options, action)
    }

    /// Runs work at a moment and then at every interval, on the run loop's thread, until the result is cancelled.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(
        after date: DateTime, interval: DateTime.Stride, tolerance: DateTime.Stride = 0,
        options: SchedulerOptions? = nil, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        RunLoopScheduler(self).schedule(
            after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

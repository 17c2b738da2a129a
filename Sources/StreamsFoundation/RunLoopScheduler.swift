public import Foundation
public import Streams

/// A run loop as a scheduler: work runs on its thread, in a mode, whichever thread schedules it.
///
/// `RunLoop` itself cannot be one, as it is not `Sendable`; operators that take a scheduler take run loops too.
public struct RunLoopScheduler: Scheduler {
    public typealias SchedulerTimeType = DateTime

    /// An empty set of options.
    public struct SchedulerOptions: Sendable {}

    /// The mode in which work runs.
    public var mode: RunLoop.Mode { kept.value.1 }
    private let kept: Kept<(RunLoop, RunLoop.Mode)>

    /// Creates a scheduler of a run loop.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop on whose thread work runs.
    ///   - mode: The mode in which it runs.
    public init(_ runLoop: RunLoop, mode: RunLoop.Mode = .common) {
        kept = Kept((runLoop, mode))
    }

    public var now: DateTime { DateTime(Date()) }
    public var minimumTolerance: DateTime.Stride { 0 }

    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        // A timer, as it wakes a run loop that sleeps; a block that is left with one does not.
        add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in action() })
    }

    @preconcurrency
    public func schedule(
        after date: DateTime, tolerance: DateTime.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }
        timer.tolerance = max(0, tolerance.timeInterval)
        add(timer)
    }

    /// Runs work at a moment and then at every interval, until the result is cancelled. An interval of less than a
    /// millisecond counts as one.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; there are none.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(
        after date: DateTime, interval: DateTime.Stride, tolerance: DateTime.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let timer = Timer(fire: date.date, interval: max(0.001, interval.timeInterval), repeats: true) { _ in action() }
        timer.tolerance = max(0, tolerance.timeInterval)
        add(timer)
        let timerKept = Kept(timer)
        return Disposable { timerKept.value.invalidate() }
    }

    private func add(_ timer: Timer) {
        kept.value.0.add(timer, forMode: kept.value.1)
    }
}

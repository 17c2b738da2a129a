/// A context that runs work, now or at a moment of its own time.
public protocol Scheduler<SchedulerTimeType>: Sendable {
    /// A moment of this scheduler's time.
    associatedtype SchedulerTimeType: Strideable & Sendable
    where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable
    /// The type of the options with which work may be scheduled.
    associatedtype SchedulerOptions: Sendable

    /// The current moment.
    var now: SchedulerTimeType { get }
    /// The smallest tolerance that makes a difference.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs work as soon as possible.
    ///
    /// - Parameters:
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    @preconcurrency
    func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

    /// Runs work at a moment, or later by no more than the tolerance. It cannot be called back.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    @preconcurrency
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void)

    /// Runs work at a moment and then at every interval, until the result is cancelled.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    @preconcurrency
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable
}

/// A span of time that can be made of seconds and their parts.
public protocol SchedulerTimeIntervalConvertible {
    /// Returns a span of whole seconds.
    ///
    /// - Parameter s: The number of seconds.
    static func seconds(_ s: Int) -> Self
    /// Returns a span of seconds and fractions of a second.
    ///
    /// - Parameter s: The number of seconds.
    static func seconds(_ s: Double) -> Self
    /// Returns a span of milliseconds.
    ///
    /// - Parameter ms: The number of milliseconds.
    static func milliseconds(_ ms: Int) -> Self
    /// Returns a span of microseconds.
    ///
    /// - Parameter us: The number of microseconds.
    static func microseconds(_ us: Int) -> Self
    /// Returns a span of nanoseconds.
    ///
    /// - Parameter ns: The number of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}

extension Scheduler {
    /// Runs work as soon as possible.
    ///
    /// - Parameter action: The work to run.
    @preconcurrency
    @inlinable
    public func schedule(_ action: @escaping @Sendable () -> Void) {
        schedule(options: nil, action)
    }

    /// Runs work at a moment.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - action: The work to run.
    @preconcurrency
    @inlinable
    public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs work at a moment, or later by no more than the tolerance.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - tolerance: The time by which the work may be late.
    ///   - action: The work to run.
    @preconcurrency
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping @Sendable () -> Void
    ) {
        schedule(after: date, tolerance: tolerance, options: nil, action)
    }

    /// Runs work at a moment and then at every interval, until the result is cancelled.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - action: The work to run.
    @preconcurrency
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs work at a moment and then at every interval, late by no more than the tolerance, until the result is cancelled.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - action: The work to run.
    @preconcurrency
    @inlinable
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
    }
}

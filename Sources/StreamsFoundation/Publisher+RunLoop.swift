public import Foundation
public import Streams

/// The operators that take a scheduler, for run loops.
extension Publisher {
    /// Delivers signals on a run loop.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop on whose thread signals are delivered.
    ///   - options: The options with which work is scheduled.
    public func receive(
        on runLoop: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, RunLoopScheduler> {
        receive(on: RunLoopScheduler(runLoop), options: options)
    }

    /// Subscribes, requests and cancels on a run loop.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop on whose thread the upstream is subscribed to.
    ///   - options: The options with which work is scheduled.
    public func subscribe(
        on runLoop: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, RunLoopScheduler> {
        subscribe(on: RunLoopScheduler(runLoop), options: options)
    }

    /// Delivers a value on a run loop once no other has followed it for some time.
    ///
    /// - Parameters:
    ///   - dueTime: The time without another value after which a value is delivered.
    ///   - runLoop: The run loop that delivers values.
    ///   - options: The options with which work is scheduled.
    public func debounce(
        for dueTime: DateTime.Stride, scheduler runLoop: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, RunLoopScheduler> {
        debounce(for: dueTime, scheduler: RunLoopScheduler(runLoop), options: options)
    }

    /// Delivers at most one value per interval, on a run loop.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values.
    ///   - runLoop: The run loop that delivers values.
    ///   - latest: A Boolean value that determines whether the newest value of an interval is delivered, or the first.
    public func throttle(
        for interval: DateTime.Stride, scheduler runLoop: RunLoop, latest: Bool
    ) -> Publishers.Throttle<Self, RunLoopScheduler> {
        throttle(for: interval, scheduler: RunLoopScheduler(runLoop), latest: latest)
    }

    /// Delivers values and the end later, on a run loop.
    ///
    /// - Parameters:
    ///   - interval: The time by which signals are delayed.
    ///   - tolerance: The time by which they may be late; nil for the scheduler's own choice.
    ///   - runLoop: The run loop that delivers them.
    ///   - options: The options with which work is scheduled.
    public func delay(
        for interval: DateTime.Stride, tolerance: DateTime.Stride? = nil, scheduler runLoop: RunLoop,
        options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, RunLoopScheduler> {
        delay(for: interval, tolerance: tolerance, scheduler: RunLoopScheduler(runLoop), options: options)
    }

    /// Finishes, or fails, on a run loop, when no value has come for some time.
    ///
    /// - Parameters:
    ///   - interval: The longest time between two values.
    ///   - runLoop: The run loop that measures time.
    ///   - options: The options with which work is scheduled.
    ///   - customError: Makes the failure; nil to finish instead.
    @preconcurrency
    public func timeout(
        _ interval: DateTime.Stride, scheduler runLoop: RunLoop, options: RunLoop.SchedulerOptions? = nil,
        customError: (@Sendable () -> Failure)? = nil
    ) -> Publishers.Timeout<Self, RunLoopScheduler> {
        timeout(interval, scheduler: RunLoopScheduler(runLoop), options: options, customError: customError)
    }

    /// Delivers the time that has passed before each value, as a run loop measures it.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop that measures time.
    ///   - options: The options with which work is scheduled.
    public func measureInterval(
        using runLoop: RunLoop, options: RunLoop.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, RunLoopScheduler> {
        measureInterval(using: RunLoopScheduler(runLoop), options: options)
    }
}

extension Publishers.TimeGroupingStrategy where Context == RunLoopScheduler {
    /// Gathers the values of each interval, on a run loop.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop that delivers them.
    ///   - interval: The time in which values are gathered.
    public static func byTime(_ runLoop: RunLoop, _ interval: DateTime.Stride) -> Self {
        .byTime(RunLoopScheduler(runLoop), interval)
    }

    /// Gathers the values of each interval, or a number of values as soon as they have come, on a run loop.
    ///
    /// - Parameters:
    ///   - runLoop: The run loop that delivers them.
    ///   - interval: The time in which values are gathered.
    ///   - count: The number of values that is delivered at once.
    public static func byTimeOrCount(_ runLoop: RunLoop, _ interval: DateTime.Stride, _ count: Int) -> Self {
        .byTimeOrCount(RunLoopScheduler(runLoop), interval, count)
    }
}

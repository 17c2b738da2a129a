public import Foundation
public import Streams

/// The operators that take a scheduler, for run loops.
extension Publisher {
    /// Delivers signals on a run loop.
    ///
    /// - Parameter runLoop: The run loop on whose thread signals are delivered.
    public func receive(on runLoop: RunLoop) -> Publishers.ReceiveOn<Self, RunLoopScheduler> {
        receive(on: RunLoopScheduler(runLoop))
    }

    /// Subscribes, requests and cancels on a run loop.
    ///
    /// - Parameter runLoop: The run loop on whose thread the upstream is subscribed to.
    public func subscribe(on runLoop: RunLoop) -> Publishers.SubscribeOn<Self, RunLoopScheduler> {
        subscribe(on: RunLoopScheduler(runLoop))
    }

    /// Delivers a value on a run loop once no other has followed it for some time.
    ///
    /// - Parameters:
    ///   - dueTime: The time without another value after which a value is delivered.
    ///   - runLoop: The run loop that delivers values.
    public func debounce(
        for dueTime: DateTime.Stride, scheduler runLoop: RunLoop
    ) -> Publishers.Debounce<Self, RunLoopScheduler> {
        debounce(for: dueTime, scheduler: RunLoopScheduler(runLoop))
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
    ///   - runLoop: The run loop that delivers them.
    public func delay(
        for interval: DateTime.Stride, scheduler runLoop: RunLoop
    ) -> Publishers.Delay<Self, RunLoopScheduler> {
        delay(for: interval, scheduler: RunLoopScheduler(runLoop))
    }

    /// Finishes, on a run loop, when no value has come for some time.
    ///
    /// - Parameters:
    ///   - interval: The longest time between two values.
    ///   - runLoop: The run loop that measures time.
    public func timeout(
        _ interval: DateTime.Stride, scheduler runLoop: RunLoop
    ) -> Publishers.Timeout<Self, RunLoopScheduler> {
        timeout(interval, scheduler: RunLoopScheduler(runLoop))
    }
}

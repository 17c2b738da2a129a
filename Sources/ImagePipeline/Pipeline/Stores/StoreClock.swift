import Dispatch
import Streams

/// The clock by which loads measure how long they have waited, for a store or for what prepares their requests: a scheduler's.
public struct StoreClock: Sendable {
    /// The time since the clock was made.
    let elapsed: @Sendable () -> Duration
    private let alarms: StoreAlarms

    /// Creates a clock from a scheduler whose work is never held up by a store: not from the threads that stores are used on.
    ///
    /// - Parameter scheduler: The scheduler, such as a dispatch queue, or virtual time in a test.
    public init<Time: Scheduler>(_ scheduler: Time)
    where Time.SchedulerTimeType.Stride == DispatchQueue.SchedulerTimeType.Stride {
        let start = scheduler.now
        let elapsed: @Sendable () -> Duration = { .nanoseconds(start.distance(to: scheduler.now).magnitude) }
        self.elapsed = elapsed
        alarms = StoreAlarms(elapsed: elapsed) { delay, action in
            let (seconds, attoseconds) = delay.components
            let stride: Time.SchedulerTimeType.Stride =
                .seconds(Int(clamping: min(seconds, 1 << 30)))
                // Up, as a timer that goes off before what it was set for is due would be set again, for no time at all.
                + .nanoseconds(Int((attoseconds + 999_999_999) / 1_000_000_000))
            let timer = SingleAssignmentDisposable()
            // Only what recurs can be cancelled.
            timer.set(
                scheduler.schedule(
                    after: scheduler.now.advanced(by: stride), interval: .seconds(86_400),
                    tolerance: scheduler.minimumTolerance, options: nil
                ) {
                    timer.cancel()
                    action()
                })
            return timer
        }
    }

    /// The system's clock, on a queue of its own.
    public static let system = StoreClock(DispatchQueue(label: "ImagePipeline.StoreClock"))

    /// Runs work after a time, unless it is cancelled before.
    func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable {
        alarms.after(delay, action)
    }
}

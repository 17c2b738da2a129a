import Streams

/// Keeps degraded images to a quarter of a load's time. A slow transfer leaves time for all of them; of a file at hand the first one
/// is made, and the final image is there before another one would be worth its while.
struct PreviewBudget<Context: Scheduler>: Sendable {
    private typealias Span = Context.SchedulerTimeType.Stride

    private let scheduler: Context
    private let start: Context.SchedulerTimeType
    private var spent: Span = .zero
    private var longest: Span = .zero

    /// The load begins now.
    init(scheduler: Context) {
        self.scheduler = scheduler
        start = scheduler.now
    }

    /// Whether another one, that takes as long as the longest so far, is within the budget.
    var hasRoom: Bool {
        let wanted = spent + longest
        let twice = wanted + wanted
        return start.distance(to: scheduler.now) >= twice + twice
    }

    /// Counts the time that `body` takes.
    mutating func spending<Result>(_ body: () throws(DecodeError) -> Result) throws(DecodeError) -> Result {
        let before = scheduler.now
        defer {
            let span = before.distance(to: scheduler.now)
            spent += span
            longest = max(longest, span)
        }
        return try body()
    }
}

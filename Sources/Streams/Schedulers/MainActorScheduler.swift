import Dispatch

/// Runs work on the main actor: at once when that is where it is scheduled from, through the main queue otherwise.
struct MainActorScheduler: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    var now: SchedulerTimeType { DispatchQueue.main.now }
    var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        if Self.isMainQueue { action() } else { DispatchQueue.main.schedule(options: options, action) }
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        DispatchQueue.main.schedule(
            after: date, interval: interval, tolerance: tolerance, options: options, action)
    }

    /// Whether this is the main queue, which is the main actor's executor. (Not the main thread: once Dispatch runs the
    /// program, the main queue is served by other threads.)
    private static var isMainQueue: Bool {
        DispatchQueue.getSpecific(key: mainQueueMark) != nil
    }

    private static let mainQueueMark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}

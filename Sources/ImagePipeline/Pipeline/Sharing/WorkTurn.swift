import Streams

/// A scheduler for the work of one load; see ``WorkQueue``.
public final class WorkTurn<Context: Scheduler>: Scheduler {
    private let queue: WorkQueue<Context>
    private let id: Int
    private let changes: PriorityObservation?

    init(queue: WorkQueue<Context>, id: Int, priority: LoadPriority) {
        self.queue = queue
        self.id = id
        guard case .live(let priority) = priority else {
            changes = nil
            return
        }
        changes = priority.observe { [weak queue] in queue?.setLevel(to: $0, of: id) }
        queue.setLevel(to: priority, of: id)
    }

    deinit {
        changes?.cancel()
        queue.remove(id)
    }

    public var now: Context.SchedulerTimeType { queue.scheduler.now }

    /// Whether work of another load waits that goes before further work of this one.
    ///
    /// Work that has taken some milliseconds asks, and goes on if none does: to wait for a turn that comes at once costs two changes of
    /// thread.
    var isOvertaken: Bool { queue.isOvertaken(id) }

    /// Says how much memory the load holds, the image included.
    ///
    /// - Returns: whether it may go on now; if not, its next piece of work waits for that.
    func hold(_ bytes: Int) -> Bool { queue.hold(bytes, by: id) }

    /// Says that the load holds nothing any more that others would have to wait for.
    func leaveRoom() { queue.leaveRoom(id) }

    /// Has the load go on without waiting for room: there is nothing left to be done but to notice that.
    func waiveRoom() { queue.waiveRoom(id) }

    public var minimumTolerance: Context.SchedulerTimeType.Stride { queue.scheduler.minimumTolerance }

    public func schedule(options: Context.SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        // The work keeps its turn.
        queue.add({ withExtendedLifetime(self) { action() } }, to: id)
    }

    public func schedule(
        after date: Context.SchedulerTimeType, tolerance: Context.SchedulerTimeType.Stride,
        options: Context.SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
        queue.scheduler.schedule(after: date, tolerance: tolerance, options: options) { self.schedule(action) }
    }

    public func schedule(
        after date: Context.SchedulerTimeType, interval: Context.SchedulerTimeType.Stride,
        tolerance: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        queue.scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options) {
            self.schedule(action)
        }
    }
}

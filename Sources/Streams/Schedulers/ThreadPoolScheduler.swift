import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs work on threads of its own, at most so many at a time, first come, first served: for work that blocks, such as
/// reading files, which would starve Dispatch's shared threads and Swift's tasks.
///
/// Threads are started when they are needed and end when the scheduler is let go of; what was scheduled by then runs.
public final class ThreadPoolScheduler: Scheduler {
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

    /// There are no options.
    public enum SchedulerOptions: Sendable {}

    /// How many threads there are at most.
    public let width: Int

    private let pool: WorkerPool
    /// Time passes on a Dispatch queue; what is due goes to the threads.
    private let timers = DispatchQueue(label: "Streams.ThreadPoolScheduler.timers")

    /// - Parameter width: How many threads there are at most; one at least.
    public init(width: Int) {
        self.width = max(1, width)
        pool = WorkerPool(width: max(1, width))
    }

    deinit {
        pool.close()
    }

    public var now: SchedulerTimeType { timers.now }

    public var minimumTolerance: SchedulerTimeType.Stride { timers.minimumTolerance }

    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        pool.enqueue(action)
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        timers.schedule(after: date, tolerance: tolerance, options: nil) { [pool] in pool.enqueue(action) }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        timers.schedule(after: date, interval: interval, tolerance: tolerance, options: nil) { [pool] in
            pool.enqueue(action)
        }
    }
}

/// The threads and their queue.
private final class WorkerPool: Sendable {
    private struct State: Sendable {
        var work = Deque<@Sendable () -> Void>()
        var threads = 0
        var idle = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts what wakes a thread: a piece of work, or the end.
    private let wake = DispatchSemaphore(value: 0)
    private let width: Int

    init(width: Int) {
        self.width = width
    }

    func enqueue(_ action: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.work.append(action)
            guard state.idle < state.work.count, state.threads < width else { return false }
            state.threads += 1
            return true
        }
        wake.signal()
        if needsThread { startThread() }
    }

    func close() {
        let threads = state.withLock { state in
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { wake.signal() }
    }

    private func startThread() {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<WorkerPool>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, argument)
        if status == 0 {
            pthread_detach(thread)
            return
        }
        // No thread to be had: the work waits for those that there are, or runs here if there are none.
        Unmanaged<WorkerPool>.fromOpaque(argument).release()
        let threads = state.withLock { state in
            state.threads -= 1
            return state.threads
        }
        if threads == 0, let action = state.withLock({ $0.work.popFirst() }) { action() }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            wake.wait()
            let (action, isClosed) = state.withLock { state in
                state.idle -= 1
                return (state.work.popFirst(), state.isClosed)
            }
            if let action { action() } else if isClosed { return }
        }
    }
}

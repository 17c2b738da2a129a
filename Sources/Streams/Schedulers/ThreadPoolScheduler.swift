import CThread
import Dispatch
import Synchronization

/// A scheduler with a limited number of threads of its own, for work that blocks, such as reading files, and would
/// starve Dispatch's shared threads and Swift's tasks. What has a higher priority goes first; among equals, what came
/// first.
///
/// Threads are started when they are needed and end when the scheduler is released; what was scheduled by then runs,
/// and what waits for its time keeps the scheduler.
public final class ThreadPoolScheduler: Scheduler {
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

    /// The priority of a piece of work among those that wait for a thread. It never interrupts what is running, and
    /// work of a low priority waits for as long as there is other work.
    public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// One of three priorities, from the lowest: of the work that waits for a thread, that of the highest goes
        /// first.
        case low, normal, high

        public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The options with which a piece of work is scheduled.
    public struct SchedulerOptions: Sendable, Hashable {
        /// The priority of the work; `normal` by default.
        public var priority: Priority

        /// Creates options.
        ///
        /// - Parameter priority: The priority of the work.
        public init(priority: Priority = .normal) {
            self.priority = priority
        }
    }

    /// The largest number of threads.
    public let width: Int

    private let pool: WorkerPool
    /// Time passes on a Dispatch queue; what is due goes to the threads.
    private let timers = DispatchQueue(label: "Streams.ThreadPoolScheduler.timers")

    /// Creates a scheduler with threads of its own.
    ///
    /// - Parameters:
    ///   - width: The number of threads at most; one at least.
    ///   - name: The name of the threads in a debugger; Linux shows the first 15 bytes.
    public init(width: Int, name: String = "ThreadPool") {
        self.width = max(1, width)
        pool = WorkerPool(width: max(1, width), name: name)
    }

    deinit {
        pool.shutDown()
    }

    public var now: SchedulerTimeType { timers.now }

    public var minimumTolerance: SchedulerTimeType.Stride { timers.minimumTolerance }

    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        pool.enqueue(action, options?.priority ?? .normal)
    }

    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        timers.schedule(after: date, tolerance: tolerance, options: nil) { [self] in schedule(options: options, action)
        }
    }

    /// Runs work at a moment and then at every interval, until the result is cancelled. It never overlaps itself: an
    /// occurrence that comes while the work is waiting or running is skipped.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let isBusy = Flag()
        let isCancelled = Flag()
        let timer = timers.schedule(after: date, interval: interval, tolerance: tolerance, options: nil) { [self] in
            guard isBusy.raise() else { return }
            schedule(options: options) {
                if !isCancelled.isRaised { action() }
                isBusy.lower()
            }
        }
        return Disposable {
            isCancelled.raise()
            timer.cancel()
        }
    }
}

/// The threads and their queue.
private final class WorkerPool: Sendable {
    private struct State: Sendable {
        /// By priority, the lowest first.
        var work = ThreadPoolScheduler.Priority.allCases.map { _ in Deque<@Sendable () -> Void>() }
        var threads = 0
        var idle = 0
        var isClosed = false

        var waiting: Int { work.reduce(0) { $0 + $1.count } }

        mutating func takeFirst() -> (@Sendable () -> Void)? {
            guard let index = work.lastIndex(where: { !$0.isEmpty }) else { return nil }
            return work[index].popFirst()
        }
    }

    private let state = Mutex(State())
    /// Counts what wakes a thread: a piece of work, or the end.
    private let wake = DispatchSemaphore(value: 0)
    private let width: Int
    private let name: String

    init(width: Int, name: String) {
        self.width = width
        self.name = name
    }

    func enqueue(_ action: @escaping @Sendable () -> Void, _ priority: ThreadPoolScheduler.Priority) {
        let needsThread = state.withLock { state in
            state.work[priority.rawValue].append(action)
            guard state.idle < state.waiting, state.threads < width else { return false }
            state.threads += 1
            return true
        }
        wake.signal()
        if needsThread { startThread() }
    }

    func shutDown() {
        let threads = state.withLock { state in
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { wake.signal() }
    }

    private func startThread() {
        let argument = Unmanaged.passRetained(self).toOpaque()
        let status = start_thread(
            name, 0, { Unmanaged<WorkerPool>.fromOpaque($0).takeRetainedValue().work() }, argument)
        if status == 0 { return }
        // No thread to be had: the work waits for those that there are, or runs here if there are none. Another caller may have
        // taken this one's hope for a thread: all that waits is the last one's.
        Unmanaged<WorkerPool>.fromOpaque(argument).release()
        state.withLock { $0.threads -= 1 }
        while let action = state.withLock({ $0.threads == 0 ? $0.takeFirst() : nil }) { action() }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            wake.wait()
            let (action, isClosed) = state.withLock { state in
                state.idle -= 1
                return (state.takeFirst(), state.isClosed)
            }
            if let action { action() } else if isClosed { return }
        }
    }
}

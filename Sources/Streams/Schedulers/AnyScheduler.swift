import Dispatch

extension Scheduler where SchedulerTimeType.Stride == DispatchQueue.SchedulerTimeType.Stride {
    /// Returns the scheduler without its type, so that whoever holds it needs no type parameter: a view model runs on the
    /// main queue in a program and on virtual time in a test.
    ///
    ///     final class Search {
    ///         init(scheduler: AnyScheduler = .main) { … debounce(for: .milliseconds(300), scheduler: scheduler) … }
    ///     }
    ///     let search = Search(scheduler: virtualTime.eraseToAnyScheduler())
    public func eraseToAnyScheduler() -> AnyScheduler {
        AnyScheduler(self)
    }
}

/// A scheduler of any type, with one type of time for all.
///
/// Work runs where and in the order in which the scheduler beneath runs it. Options are that scheduler's defaults.
public struct AnyScheduler: Scheduler {
    /// A moment, in nanoseconds since the scheduler was erased.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// A span of time in nanoseconds, as that of Dispatch's queues.
        public typealias Stride = DispatchQueue.SchedulerTimeType.Stride

        /// The number of nanoseconds since the scheduler was erased.
        public let nanoseconds: Int

        /// Creates a moment.
        ///
        /// - Parameter nanoseconds: The number of nanoseconds since the scheduler was erased.
        public init(nanoseconds: Int) {
            self.nanoseconds = nanoseconds
        }

        public func distance(to other: SchedulerTimeType) -> Stride {
            Stride.nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
        }

        public func advanced(by stride: Stride) -> SchedulerTimeType {
            SchedulerTimeType(nanoseconds: (Stride.nanoseconds(nanoseconds) + stride).magnitude)
        }
    }

    /// An empty set of options.
    public enum SchedulerOptions: Sendable {}

    /// The main queue.
    public static var main: AnyScheduler { DispatchQueue.main.eraseToAnyScheduler() }

    private let base: any AnchoredScheduling

    /// Creates a scheduler that runs its work on another one.
    ///
    /// - Parameter base: The scheduler that runs the work.
    public init<Base: Scheduler>(_ base: Base)
    where Base.SchedulerTimeType.Stride == DispatchQueue.SchedulerTimeType.Stride {
        self.base = AnchoredScheduler(base)
    }

    public var now: SchedulerTimeType { SchedulerTimeType(nanoseconds: base.elapsed) }

    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        base.schedule(action)
    }

    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: date.nanoseconds, tolerance: tolerance.magnitude, action)
    }

    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        base.schedule(
            after: date.nanoseconds, interval: interval.magnitude, tolerance: tolerance.magnitude, action)
    }
}

/// A scheduler whose times are nanoseconds since it was made.
private protocol AnchoredScheduling: Sendable {
    var elapsed: Int { get }
    func schedule(_ action: @escaping @Sendable () -> Void)
    func schedule(after nanoseconds: Int, tolerance: Int, _ action: @escaping @Sendable () -> Void)
    func schedule(
        after nanoseconds: Int, interval: Int, tolerance: Int, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable
}

private struct AnchoredScheduler<Base: Scheduler>: AnchoredScheduling
where Base.SchedulerTimeType.Stride == DispatchQueue.SchedulerTimeType.Stride {
    typealias Time = Base.SchedulerTimeType

    private let base: Base
    private let anchor: Time

    init(_ base: Base) {
        self.base = base
        anchor = base.now
    }

    var elapsed: Int { anchor.distance(to: base.now).magnitude }

    func schedule(_ action: @escaping @Sendable () -> Void) {
        base.schedule(options: nil, action)
    }

    func schedule(after nanoseconds: Int, tolerance: Int, _ action: @escaping @Sendable () -> Void) {
        base.schedule(
            after: anchor.advanced(by: .nanoseconds(nanoseconds)), tolerance: self.tolerance(tolerance), options: nil,
            action)
    }

    func schedule(
        after nanoseconds: Int, interval: Int, tolerance: Int, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        base.schedule(
            after: anchor.advanced(by: .nanoseconds(nanoseconds)), interval: .nanoseconds(interval),
            tolerance: self.tolerance(tolerance), options: nil, action)
    }

    private func tolerance(_ nanoseconds: Int) -> Time.Stride {
        nanoseconds == 0 ? base.minimumTolerance : .nanoseconds(nanoseconds)
    }
}

import Files

/// Watches over a decode from step to step: its cancellation, and the time it has worked.
///
/// A step is a row or a few, of pixels or of coefficients. Time passes only within the decoder's own calls, that is within
/// ``working(_:)``: what it waits for bytes, or for its turn, is not counted.
public final class DecodeWatch {
    /// The clock is read every so many steps, as asking the system costs as much as a short row; and less often while
    /// that many steps take hardly any of the time.
    private static let stepsPerReading = (usual: 8, quick: 64)

    private let isCancelled: @Sendable () -> Bool
    private let clock: @Sendable () -> Duration
    /// Read in its place while hardly any of the time can have been used up: it shows no less, and costs a hundredth.
    private let coarse: @Sendable () -> Duration
    private var isCoarse: Bool
    private let allowed: Duration
    /// Of the calls before the one under way.
    private var spent = Duration.zero
    /// What the clock showed when that began; `nil` between calls.
    private var start: Duration?
    private var stepsToReading = 0
    /// The time that had been used up when the clock was read last; nil before the first reading.
    private var lastReading: Duration?
    private var isCancelledNow = false

    /// Creates a watch for ``DecodeOptions/isCancelled`` and ``DecodeLimits/time``.
    ///
    /// - Parameter options: The options that hold the closure, the clock and the time limit.
    public convenience init(options: DecodeOptions) {
        if let clock = options.clock {
            self.init(options: options, clock: clock, coarse: nil)
        } else {
            self.init(options: options, clock: DecodeOptions.threadTime, coarse: Self.systemTime)
        }
    }

    /// - Parameter coarse: a cheap clock that never shows less than the other one.
    init(options: DecodeOptions, clock: @escaping @Sendable () -> Duration, coarse: (@Sendable () -> Duration)?) {
        isCancelled = options.isCancelled
        allowed = options.limits.time
        self.clock = clock
        self.coarse = coarse ?? clock
        isCoarse = coarse != nil
    }

    /// Counts the time that `body` takes, and the decoder's steps in it.
    ///
    /// - Parameter body: The work that is measured.
    public func working<Result>(_ body: () throws(DecodeError) -> Result) throws(DecodeError) -> Result {
        start = now
        defer {
            spent = total
            start = nil
        }
        return try body()
    }

    /// Asked before each step.
    ///
    /// - Returns: whether to go on. Otherwise ``error(at:)`` says why not.
    func goesOn() -> Bool {
        isCancelledNow = isCancelled()
        if isCancelledNow { return false }
        if stepsToReading == 0 {
            if isCoarse, !isWithin(total, halvings: 3) { beginCounting() }
            let total = total
            if total > allowed { return false }
            let isQuick = lastReading.map { isWithin(total - $0, halvings: 13) } ?? false
            stepsToReading = isQuick ? Self.stepsPerReading.quick : Self.stepsPerReading.usual
            lastReading = total
        }
        stepsToReading -= 1
        return true
    }

    /// Throws if the decode was cancelled or has used up its time. For steps other than the rows that ``DecodedRows``
    /// gets.
    ///
    /// - Parameter location: The place in the file, for errors.
    public func check(at location: @autoclosure () -> DecodeError.Location) throws(DecodeError) {
        if !goesOn() { throw error(at: location()) }
    }

    /// Why a decode does not go on.
    func error(at location: DecodeError.Location) -> DecodeError {
        if isCancelledNow { return .cancelled }
        let limit = Self.milliseconds(allowed)
        // Whole milliseconds may not show by how little it is too much.
        return .limitExceeded(.time, value: max(Self.milliseconds(total), limit + 1), allowed: limit, at: location)
    }

    private var now: Duration { isCoarse ? coarse() : clock() }

    private var total: Duration { start.map { spent + (now - $0) } ?? spent }

    /// Counts from here on, by the clock that counts. The machine may have stood still until now.
    private func beginCounting() {
        isCoarse = false
        (spent, start, lastReading) = (.zero, clock(), nil)
    }

    /// Whether a time is less than what is allowed, halved so often. By doubling: to divide or multiply a `Duration` is generic, and brings
    /// half a megabyte of the runtime's code into memory.
    private func isWithin(_ time: Duration, halvings: Int) -> Bool {
        var time = time
        for _ in 0..<halvings where time < allowed { time += time }
        return time < allowed
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let whole = DecodeLimits.product(Int(clamping: seconds), 1_000)
        return min(whole, .max - 1_000) + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension DecodeWatch {
    private static let systemTime: @Sendable () -> Duration = { reading(CLOCK_MONOTONIC) }

    fileprivate static func reading(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

extension DecodeOptions {
    /// The processor time of the calling thread, which does not advance while the thread waits for its turn on a busy
    /// machine.
    public static let threadTime: @Sendable () -> Duration = { DecodeWatch.reading(CLOCK_THREAD_CPUTIME_ID) }
}

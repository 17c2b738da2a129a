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
    public init(options: DecodeOptions) {
        isCancelled = options.isCancelled
        clock = options.clock
        allowed = options.limits.time
    }

    /// Counts the time that `body` takes, and the decoder's steps in it.
    ///
    /// - Parameter body: The work that is measured.
    public func working<Result>(_ body: () throws(DecodeError) -> Result) throws(DecodeError) -> Result {
        start = clock()
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
            let total = total
            if total > allowed { return false }
            let isQuick = lastReading.map { isHardlyAny(total - $0) } ?? false
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

    private var total: Duration { start.map { spent + (clock() - $0) } ?? spent }

    /// Whether some eight thousand times as much is allowed. By doubling: to divide or multiply a `Duration` is generic, and brings half a
    /// megabyte of the runtime's code into memory.
    private func isHardlyAny(_ time: Duration) -> Bool {
        var time = time
        for _ in 0..<13 where time < allowed { time += time }
        return time < allowed
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let whole = DecodeLimits.product(Int(clamping: seconds), 1_000)
        return min(whole, .max - 1_000) + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension DecodeOptions {
    /// The processor time of the calling thread, which does not advance while the thread waits for its turn on a busy
    /// machine.
    public static let threadTime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

import Streams

/// A rule that says when to try again, and how often.
public struct RetryPolicy: Sendable {
    /// The number of further attempts.
    public var retries: Int
    /// The time to wait before each, unless the server names one.
    public var backOff: BackOff
    /// The time since the first attempt after which no further one begins, whatever the server says.
    public var total: Duration
    /// Returns whether a failure is worth another attempt.
    public var condition: @Sendable (LoadError) -> Bool

    /// Creates a policy; see the properties.
    ///
    /// - Parameters:
    ///   - retries: The largest number of further attempts.
    ///   - backOff: The time to wait before each attempt, unless the server names one.
    ///   - total: The time since the first attempt after which no further one begins.
    ///   - condition: A closure that returns whether a failure is worth another attempt.
    public init(
        retries: Int, backOff: BackOff, total: Duration = .seconds(120),
        when condition: @escaping @Sendable (LoadError) -> Bool = { $0.isWorthRetrying }
    ) {
        self.retries = max(0, retries)
        self.backOff = backOff
        self.total = total
        self.condition = condition
    }

    /// Returns a policy that waits twice as long before each attempt as before the last one, half of it left to chance, so that many clients do not come back
    /// all at once.
    ///
    /// - Parameters:
    ///   - maxRetries: The largest number of further attempts.
    ///   - first: The time to wait before the second attempt.
    ///   - maximum: The longest time to wait.
    ///   - total: The time since the first attempt after which no further one begins.
    public static func exponential(
        maxRetries: Int = 3, first: Duration = .milliseconds(500), maximum: Duration = .seconds(30),
        total: Duration = .seconds(120)
    ) -> RetryPolicy {
        RetryPolicy(
            retries: maxRetries, backOff: .exponential(first: first, maximum: maximum, jitter: 0.5), total: total)
    }

    /// Returns a policy that always waits as long: `.every(.seconds(5), times: 3)`.
    ///
    /// - Parameters:
    ///   - interval: The time to wait before each attempt.
    ///   - times: The largest number of further attempts.
    ///   - total: The time since the first attempt after which no further one begins.
    public static func every(_ interval: Duration, times: Int, total: Duration = .seconds(120)) -> RetryPolicy {
        RetryPolicy(retries: times, backOff: .constant(interval), total: total)
    }

    /// Returns the time to wait before another attempt; nil where none is to be made.
    ///
    /// - Parameters:
    ///   - failures: The number of attempts that have failed.
    ///   - spent: The time since the first one began.
    func delay<Time: SchedulerTimeIntervalConvertible & SignedNumeric & Comparable>(
        after error: LoadError, failures: Int, spent: Time
    ) -> Time? {
        guard failures <= retries, condition(error) else { return nil }
        let delay = if case .busy(_, let delay) = error { delay } else { backOff.delay(before: failures) }
        return spent + .span(delay) <= .span(total) ? .span(delay) : nil
    }
}

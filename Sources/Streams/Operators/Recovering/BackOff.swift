/// The time to wait before another attempt.
public struct BackOff: Sendable {
    private let first: Double
    private let factor: Double
    private let step: Double
    private let maximum: Double
    private let jitter: Double
    private let random: @Sendable () -> Double

    private init(
        first: Duration, factor: Double = 1, step: Duration = .zero, maximum: Duration?, jitter: Double,
        random: @escaping @Sendable () -> Double
    ) {
        self.first = first.inNanoseconds
        self.factor = factor
        self.step = step.inNanoseconds
        self.maximum = maximum?.inNanoseconds ?? .greatestFiniteMagnitude
        self.jitter = min(max(jitter, 0), 1)
        self.random = random
    }

    /// Returns a back-off that always waits for the same time.
    ///
    /// - Parameters:
    ///   - delay: The time to wait before each further attempt.
    ///   - jitter: The share of each delay, from 0 to 1, that is left to chance, so that many clients don't come back
    ///     all at once: with 0.5 a delay of two seconds is one to two.
    ///   - random: A closure that returns a random number from 0 up to, but not including, 1.
    public static func constant(
        _ delay: Duration, jitter: Double = 0, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> BackOff {
        BackOff(first: delay, maximum: nil, jitter: jitter, random: random)
    }

    /// Returns a back-off whose time grows by the same amount with each attempt.
    ///
    /// - Parameters:
    ///   - first: The time to wait before the second attempt.
    ///   - step: The time by which it grows with each attempt.
    ///   - maximum: The longest time to wait.
    ///   - jitter: The share of each delay, from 0 to 1, that is left to chance, so that many clients don't come back
    ///     all at once: with 0.5 a delay of two seconds is one to two.
    ///   - random: A closure that returns a random number from 0 up to, but not including, 1.
    public static func linear(
        first: Duration, step: Duration, maximum: Duration = .seconds(60), jitter: Double = 0,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> BackOff {
        BackOff(first: first, step: step, maximum: maximum, jitter: jitter, random: random)
    }

    /// Returns a back-off whose time grows by a factor with each attempt.
    ///
    /// - Parameters:
    ///   - first: The time to wait before the second attempt.
    ///   - factor: The factor by which the time grows.
    ///   - maximum: The longest time to wait.
    ///   - jitter: The share of each delay, from 0 to 1, that is left to chance, so that many clients don't come back
    ///     all at once: with 0.5 a delay of two seconds is one to two.
    ///   - random: A closure that returns a random number from 0 up to, but not including, 1.
    public static func exponential(
        first: Duration, factor: Double = 2, maximum: Duration = .seconds(60), jitter: Double = 0,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> BackOff {
        BackOff(first: first, factor: factor, maximum: maximum, jitter: jitter, random: random)
    }

    /// Returns the time to wait before an attempt, for those who schedule it themselves.
    ///
    /// - Parameter attempt: The number of attempts that have failed, one at least.
    public func delay(before attempt: Int) -> Duration {
        .nanoseconds(nanoseconds(before: max(1, attempt)))
    }

    /// Nanoseconds to wait before the attempt after this one, counted from 1.
    @usableFromInline
    func nanoseconds(before attempt: Int) -> Int {
        var delay = first + step * Double(attempt - 1)
        var growths = factor == 1 ? 0 : attempt - 1
        while growths > 0, delay > 0, delay < maximum {
            delay *= factor
            growths -= 1
        }
        delay = min(delay, maximum)
        return Int(exactly: (delay * (1 - jitter * random())).rounded()) ?? .max
    }
}

extension Duration {
    fileprivate var inNanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

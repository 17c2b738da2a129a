/// The looks at which transfers get somewhere, taken as long as somebody waits for a place.
struct ProgressLook {
    /// The bytes from one look to the next with which a transfer keeps its place: 40 KB a second.
    static let leastProgress = 4 << 10
    private static let interval = Duration.milliseconds(100)

    /// The time of the next look; nil while nobody waits.
    private(set) var next: ContinuousClock.Instant?

    /// Returns whether it is time for a look, and sets the time of the next one.
    mutating func isDue(isAwaited: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard isAwaited else {
            next = nil
            return false
        }
        if let next, now < next { return false }
        defer { next = now + Self.interval }
        return next != nil
    }
}

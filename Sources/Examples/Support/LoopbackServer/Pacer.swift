/// Says how many bytes may go out by now, so that a rate holds on average from the first byte on.
struct Pacer {
    /// The shortest pause between two pieces: long enough that a slow reply costs no processor time to speak of.
    static let tick = Duration.milliseconds(5)

    private let bytesPerSecond: Double
    private let start: ContinuousClock.Instant
    private var sent = 0

    /// - Parameter bytesPerSecond: at least 1; less counts as 1.
    init(bytesPerSecond: Int, start: ContinuousClock.Instant) {
        self.bytesPerSecond = Double(max(1, bytesPerSecond))
        self.start = start
    }

    /// How many bytes may go out now. Nothing for a piece smaller than a tick's share: it comes with the next one.
    func allowance(at now: ContinuousClock.Instant) -> Int {
        let elapsed = start.duration(to: now)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let allowed = min(seconds * bytesPerSecond, 1e15)
        return max(0, Int(allowed) - sent)
    }

    /// When at least one byte, and about a tick's share, may go out.
    func nextAllowance(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        max(start + .seconds(Double(sent + 1) / bytesPerSecond), now + Self.tick)
    }

    mutating func count(_ bytes: Int) {
        sent += bytes
    }
}

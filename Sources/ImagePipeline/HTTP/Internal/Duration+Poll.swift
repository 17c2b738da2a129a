extension Duration {
    /// The time that `poll` is to wait: milliseconds, rounded up, a minute at most; 0 for what is over.
    var pollTime: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = min(self, .seconds(60)).components
        let millisecond: Int64 = 1_000_000_000_000_000
        return Int32(seconds) * 1_000 + Int32((attoseconds + millisecond - 1) / millisecond)
    }
}

extension ContinuousClock.Instant {
    /// The time that `poll` is to wait for this moment.
    var pollTime: Int32 { (self - .now).pollTime }
}

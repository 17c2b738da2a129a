extension Duration {
    /// The time that `poll` is to wait: milliseconds, rounded up, a minute at most; 0 for what is over.
    var pollTime: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = min(self, .seconds(60)).components
        let millisecond: Int64 = 1_000_000_000_000_000
        return Int32(seconds) * 1_000 + Int32((attoseconds + millisecond - 1) / millisecond)
    }

    /// The milliseconds of a limit of libcurl's, which takes 0 for none: one at least.
    var limitMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : max(1, min(Int(Int32.max), product + Int(attoseconds / 1_000_000_000_000_000)))
    }
}

extension ContinuousClock.Instant {
    /// The time that `poll` is to wait for this moment.
    var pollTime: Int32 { (self - .now).pollTime }
}

extension Duration {
    /// Eight bytes for a time since 1970, as entries of stores have it: milliseconds, little-endian.
    var storedBytes: [UInt8] {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        let milliseconds = isTooLarge ? .max : whole + attoseconds / 1_000_000_000_000_000
        return withUnsafeBytes(of: milliseconds.littleEndian) { Array($0) }
    }

    /// Reads such a time; nil unless there are eight bytes.
    init?(stored bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.count == 8 else { return nil }
        self = .milliseconds(Int64(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    }
}

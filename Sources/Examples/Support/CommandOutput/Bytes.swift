extension Int {
    /// A number of bytes as people read it: `812 B`, `43 KB`, `2.1 MB`, in powers of 1000.
    public var asBytes: String {
        if self < 1000 { return "\(self) B" }
        if self < 1_000_000 { return "\((self + 500) / 1000) KB" }
        let tenths = (self + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}

/// What a `gAMA` chunk holds: the power of light that samples are, times 100,000 (PNG 3rd edition, 11.3.2.2).
struct PNGGamma {
    let value: Int32

    /// - Returns: `nil` for what libpng takes for a mistake, and for no number.
    init?(_ gamma: Double) {
        let value = (gamma * 100_000).rounded()
        guard (16...625_000_000).contains(value) else { return nil }
        self.value = Int32(value)
    }

    var gamma: Double { Double(value) / 100_000 }
}

/// A fraction as TIFF has it (TIFF 6.0, 2: RATIONAL).
struct Rational: Equatable {
    let numerator: UInt32
    let denominator: UInt32

    init(_ numerator: UInt32, _ denominator: UInt32 = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The shortest fraction that is this number, or else the nearest one found, by continued fractions. (What was read as a fraction of
    /// small numbers comes out as that fraction.)
    ///
    /// - Returns: `nil` for what is negative, no number, or beyond 2^32 - 1.
    init?(nearest value: Double) {
        let largest = Double(UInt32.max)
        guard (0...largest).contains(value) else { return nil }
        var (last, current) = ((0.0, 1.0), (1.0, 0.0))
        var rest = value
        repeat {
            let whole = rest.rounded(.down)
            let next = (whole * current.0 + last.0, whole * current.1 + last.1)
            // Infinity, where nothing is left, is beyond it too.
            guard next.0 <= largest, next.1 <= largest else { break }
            (last, current) = (current, next)
            rest = 1 / (rest - whole)
        } while current.0 / current.1 != value
        self.init(UInt32(current.0), UInt32(current.1))
    }
}

/// The Lanczos kernel of three lobes, sin(πx) sin(πx/3) · 3/(πx)², at points a step apart.
///
/// Both sines are turned from point to point by the angle of a step, instead of being computed anew: a reduction has tens
/// of thousands of taps, which would take longer than a small picture's decode.
struct LanczosRow {
    private(set) var values: [Double]
    private let turn: Phase
    private let thirdTurn: Phase
    private let step: Double

    /// - Parameters:
    ///   - step: from point to point, greater than 0.
    ///   - count: points at most.
    init(step: Double, count: Int) {
        values = [Double](repeating: 0, count: count)
        turn = Phase(step)
        thirdTurn = Phase(step / 3)
        self.step = step
    }

    /// Computes `values` at `start` and the `count - 1` points after it.
    mutating func sample(from start: Double, count: Int) {
        var phase = Phase(start)
        var third = Phase(start / 3)
        for index in 0..<count {
            let x = start + Double(index) * step
            if abs(x) >= 3 {
                values[index] = 0
            } else if abs(x) < 1e-9 {
                values[index] = 1
            } else {
                let angle = Double.pi * x
                values[index] = 3 * phase.sine * third.sine / (angle * angle)
            }
            phase.turn(by: turn)
            third.turn(by: thirdTurn)
        }
    }

    /// The sine and cosine of π times a number.
    private struct Phase {
        private(set) var sine: Double
        private var cosine: Double

        init(_ halfTurns: Double) {
            sine = Self.sine(halfTurns)
            cosine = Self.sine(halfTurns + 0.5)
        }

        mutating func turn(by other: Phase) {
            (sine, cosine) = (
                sine * other.cosine + cosine * other.sine, cosine * other.cosine - sine * other.sine
            )
        }

        /// sin(πx) by its series, to the last bits: within half a turn of 0 the first term left out is below 10⁻¹⁷.
        private static func sine(_ x: Double) -> Double {
            let whole = Int(x < 0 ? x - 0.5 : x + 0.5)
            let angle = Double.pi * (x - Double(whole))
            let square = angle * angle
            var term = angle
            var sum = angle
            for index in 1...10 {
                term *= -square / Double(2 * index * (2 * index + 1))
                sum += term
            }
            return whole & 1 == 0 ? sum : -sum
        }
    }
}

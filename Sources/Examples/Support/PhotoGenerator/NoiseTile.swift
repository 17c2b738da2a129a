/// A square of value noise of several octaves that fits to itself on all sides: made once, then looked up at any scale,
/// because noise computed for each pixel would take a debug build many seconds a picture.
struct NoiseTile: Sendable {
    static let side = 256

    /// Values from -128 to 127, row by row.
    let values: [Int]

    /// - Parameter persistence: what each finer octave weighs beside the one before; the larger, the rougher.
    init(persistence: Double, using generator: inout SeededGenerator) {
        let side = Self.side
        var sum = [Double](repeating: 0, count: side * side)
        var weight = 1.0
        var total = 0.0
        var step = side / 4
        while step >= 1 {
            let lattice = (0..<(side / step) * (side / step)).map { _ in Double.random(in: -1...1, using: &generator) }
            Self.add(lattice, step: step, weight: weight, to: &sum)
            total += weight
            weight *= persistence
            step /= 2
        }
        // Octaves seldom agree: without the factor the sum would keep to the middle of its range.
        values = sum.map { Int(max(-128, min(127, $0 / total * 250))) }
    }

    private static func add(_ lattice: [Double], step: Int, weight: Double, to sum: inout [Double]) {
        let cells = side / step
        let eases = (0..<step).map { ease(Double($0) / Double(step)) }
        lattice.withUnsafeBufferPointer { lattice in
            sum.withUnsafeMutableBufferPointer { sum in
                var y = 0
                while y < side {
                    let top = y / step * cells
                    let bottom = (y / step + 1) % cells * cells
                    let down = eases[y % step]
                    var x = 0
                    while x < side {
                        let left = x / step
                        let right = (left + 1) % cells
                        let across = eases[x % step]
                        let upper = lattice[top + left] + (lattice[top + right] - lattice[top + left]) * across
                        let lower = lattice[bottom + left] + (lattice[bottom + right] - lattice[bottom + left]) * across
                        sum[y * side + x] += (upper + (lower - upper) * down) * weight
                        x += 1
                    }
                    y += 1
                }
            }
        }
    }

    static func ease(_ x: Double) -> Double { x * x * (3 - 2 * x) }
}

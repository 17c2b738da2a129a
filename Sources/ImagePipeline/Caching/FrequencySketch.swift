/// Estimates of how often keys were used lately, in one byte a counter: a count-min sketch that ages.
///
/// A key has four counters in one line of the processor's cache. Once in so many uses a line is halved, one after the other: an old
/// favourite gives way, and no single use takes long.
@usableFromInline
struct FrequencySketch: Sendable {
    private static var line: Int { 64 }

    @usableFromInline var counters: [UInt8]
    @usableFromInline var usesUntilAgeing: Int
    private let usesOfLine: Int
    private var nextLine = 0

    /// - Parameter count: The number of keys that it has to tell apart.
    init(count: Int) {
        var lines = 16
        while lines * Self.line < 8 * count { lines *= 2 }
        counters = [UInt8](repeating: 0, count: lines * Self.line)
        usesOfLine = max(1, 10 * count / lines)
        usesUntilAgeing = usesOfLine
    }

    @inlinable
    func index(_ hash: Int, _ row: Int) -> Int {
        let bits = UInt(bitPattern: hash)
        let start = Int(truncatingIfNeeded: bits >> 24) & (counters.count - 1) & ~63
        return start + row << 4 + Int(truncatingIfNeeded: bits >> UInt(4 * row)) & 15
    }

    @inlinable
    mutating func use(_ hash: Int) {
        let places = (index(hash, 0), index(hash, 1), index(hash, 2), index(hash, 3))
        // All four at once, and without a branch that depends on the key: a hit waits for this.
        counters.withUnsafeMutableBufferPointer { counters in
            counters[places.0] += counters[places.0] < 15 ? 1 : 0
            counters[places.1] += counters[places.1] < 15 ? 1 : 0
            counters[places.2] += counters[places.2] < 15 ? 1 : 0
            counters[places.3] += counters[places.3] < 15 ? 1 : 0
        }
        usesUntilAgeing -= 1
        if usesUntilAgeing == 0 { age() }
    }

    func estimate(_ hash: Int) -> UInt8 {
        (0..<4).reduce(UInt8.max) { min($0, counters[index(hash, $1)]) }
    }

    @usableFromInline
    mutating func age() {
        usesUntilAgeing = usesOfLine
        for index in nextLine..<nextLine + Self.line { counters[index] /= 2 }
        nextLine = (nextLine + Self.line) % counters.count
    }
}

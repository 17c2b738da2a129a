/// Looks for the shortest and smallest list of choices that still fails.
struct Shrinker {
    /// How often a property may be tried while shrinking.
    private var budget: Int
    private let fails: ([UInt64]) -> [UInt64]?

    /// - Parameters:
    ///   - budget: How many tries there are.
    ///   - fails: The choices that were drawn, where what is made of these still fails.
    init(budget: Int = 4_000, fails: @escaping ([UInt64]) -> [UInt64]?) {
        self.budget = budget
        self.fails = fails
    }

    mutating func shrink(_ choices: [UInt64]) -> [UInt64] {
        var best = choices
        var isBetter = true
        while isBetter, budget > 0 {
            isBetter = removeChunks(&best)
            isBetter = lower(&best) || isBetter
            isBetter = lowerPairs(&best) || isBetter
        }
        return best
    }

    /// Takes out stretches, long ones first.
    private mutating func removeChunks(_ best: inout [UInt64]) -> Bool {
        var isBetter = false
        for length in [16, 8, 6, 5, 4, 3, 2, 1] {
            var start = best.count - length
            while start >= 0, budget > 0 {
                var shorter = best
                shorter.removeSubrange(start..<min(start + length, shorter.count))
                if attempt(shorter, &best) { isBetter = true }
                start = min(start - 1, best.count - length)
            }
        }
        return isBetter
    }

    /// Makes each number as small as it goes: 0, then by halving the distance.
    private mutating func lower(_ best: inout [UInt64]) -> Bool {
        var isBetter = false
        var index = 0
        while index < best.count, budget > 0 {
            var low: UInt64 = 0
            while index < best.count, low < best[index], budget > 0 {
                var smaller = best
                smaller[index] = low
                if attempt(smaller, &best) {
                    isBetter = true
                } else {
                    low += max((best[index] - low) / 2, 1)
                }
            }
            index += 1
        }
        return isBetter
    }

    /// Lowers a number and takes out what is behind it: what an array with a length in front needs, and a choice between
    /// alternatives of which the simpler one draws less.
    private mutating func lowerPairs(_ best: inout [UInt64]) -> Bool {
        var isBetter = false
        var index = 0
        while index < best.count, budget > 0 {
            isBetter = lowerPair(at: index, &best) || isBetter
            index += 1
        }
        return isBetter
    }

    private mutating func lowerPair(at index: Int, _ best: inout [UInt64]) -> Bool {
        let value = best[index]
        // One less is what counts need. Any of few may be an alternative.
        for smaller in value > 8 ? value - 1..<value : 0..<value {
            for length in 1...4 where index + 1 + length <= best.count && budget > 0 {
                var shorter = best
                shorter[index] = smaller
                shorter.removeSubrange((index + 1)..<(index + 1 + length))
                if attempt(shorter, &best) { return true }
            }
        }
        return false
    }

    private mutating func attempt(_ choices: [UInt64], _ best: inout [UInt64]) -> Bool {
        budget -= 1
        guard let drawn = fails(choices), Self.isSimpler(drawn, best) else { return false }
        best = drawn
        return true
    }

    private static func isSimpler(_ new: [UInt64], _ old: [UInt64]) -> Bool {
        new.count != old.count ? new.count < old.count : new.lexicographicallyPrecedes(old)
    }
}

/// The order in which keys are asked for, for a cache that holds a number of them.
struct Trace {
    let name: String
    let keys: [Int]

    static func all(capacity: Int) -> [Trace] {
        [zipf(capacity), scan(capacity), loop(capacity), scroll(capacity), tabs(capacity)]
    }

    /// Ten times as many keys as the cache holds, the n-th asked for 1/n^0.9 times as often as the first.
    private static func zipf(_ capacity: Int) -> Trace {
        var random = SplitMix(seed: 11)
        let pick = Zipf(count: 10 * capacity, exponent: 0.9)
        return Trace(name: "Zipf", keys: (0..<300 * capacity).map { _ in pick(&random) })
    }

    /// The entries that are used again take four fifths of the cache; now and then an archive of two and a half caches is looked through once.
    private static func scan(_ capacity: Int) -> Trace {
        var random = SplitMix(seed: 12)
        let pick = Zipf(count: 4 * capacity / 5, exponent: 0.6)
        var keys: [Int] = []
        var next = capacity
        for _ in 0..<60 {
            for _ in 0..<4 * capacity { keys.append(pick(&random)) }
            for _ in 0..<5 * capacity / 2 {
                keys.append(next)
                next += 1
            }
        }
        return Trace(name: "scan", keys: keys)
    }

    /// Twice as many keys as the cache holds, one after the other, round and round.
    private static func loop(_ capacity: Int) -> Trace {
        Trace(name: "loop", keys: (0..<200 * capacity).map { $0 % (2 * capacity) })
    }

    /// A list of twenty caches, scrolled to and fro by up to half a cache; now and then back to its top.
    private static func scroll(_ capacity: Int) -> Trace {
        var random = SplitMix(seed: 13)
        var (keys, position) = ([Int](), 0)
        while keys.count < 300 * capacity {
            let target = max(
                0, min(20 * capacity, position + Int.random(in: -capacity / 3...capacity / 2, using: &random)))
            keys += way(from: position, to: target)
            position = Int.random(in: 0..<200, using: &random) == 0 ? 0 : target
        }
        return Trace(name: "scroll", keys: keys)
    }

    /// Three lists, each of six caches, between which somebody changes.
    private static func tabs(_ capacity: Int) -> Trace {
        var random = SplitMix(seed: 14)
        var (keys, positions) = ([Int](), [0, 0, 0])
        while keys.count < 300 * capacity {
            let tab = Int.random(in: 0..<3, using: &random)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let step = Int.random(in: -capacity / 6...capacity / 5, using: &random)
                let target = max(0, min(6 * capacity, positions[tab] + step))
                keys += way(from: positions[tab], to: target).map { $0 + tab * 7 * capacity }
                positions[tab] = target
            }
        }
        return Trace(name: "tabs", keys: keys)
    }

    private static func way(from start: Int, to end: Int) -> [Int] {
        start < end ? Array(start..<end) : (end..<start).reversed()
    }
}

/// Numbers from 0, each less likely than the one before.
private struct Zipf {
    private let sums: [Double]

    init(count: Int, exponent: Double) {
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += 1 / power(Double(rank), exponent)
            return sum
        }
    }

    func callAsFunction(_ random: inout SplitMix) -> Int {
        let point = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= point { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

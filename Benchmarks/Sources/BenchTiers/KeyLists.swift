import Foundation

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// Several lists of small numbers, each number in one of them or in none.
struct KeyLists {
    private var newer: [Int]
    private var older: [Int]
    private var newest: [Int]
    private var oldest: [Int]
    private(set) var counts: [Int]
    private var home: [Int8]

    init(keys: Int, lists: Int) {
        newer = Array(repeating: -1, count: keys)
        older = newer
        newest = Array(repeating: -1, count: lists)
        oldest = newest
        counts = Array(repeating: 0, count: lists)
        home = Array(repeating: -1, count: keys)
    }

    func list(of key: Int) -> Int? { home[key] < 0 ? nil : Int(home[key]) }

    func oldest(of list: Int) -> Int? { oldest[list] < 0 ? nil : oldest[list] }

    /// The next key towards the newest.
    func newer(than key: Int) -> Int? { newer[key] < 0 ? nil : newer[key] }

    mutating func append(_ key: Int, to list: Int) {
        newer[key] = -1
        older[key] = newest[list]
        if newest[list] >= 0 { newer[newest[list]] = key } else { oldest[list] = key }
        newest[list] = key
        counts[list] += 1
        home[key] = Int8(list)
    }

    mutating func remove(_ key: Int) {
        let list = Int(home[key])
        if newer[key] >= 0 { older[newer[key]] = older[key] } else { newest[list] = older[key] }
        if older[key] >= 0 { newer[older[key]] = newer[key] } else { oldest[list] = newer[key] }
        counts[list] -= 1
        home[key] = -1
    }

    mutating func removeOldest(of list: Int) -> Int? {
        guard let key = oldest(of: list) else { return nil }
        remove(key)
        return key
    }
}

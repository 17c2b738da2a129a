import Streams

/// The way in which a recording subscriber requests values.
public enum DemandPolicy: Sendable, Hashable {
    /// Requests everything at once.
    case unlimited
    /// Requests one value at first, and one more for each value received.
    case oneByOne
    /// Requests the first number of values, then the next number whenever those have come, and everything when the
    /// numbers are used up. Numbers below one don't count.
    case bursts([Int])
    /// Requests a number of values at first, and no more.
    case upTo(Int)
    /// Requests one value at first, and one more for each value received, until a number of values have come.
    case oneByOneUpTo(Int)
    /// Requests a number of values at first, and everything a number of milliseconds of virtual time after the start; the code
    /// that subscribes sees to that.
    case resuming(Int, at: Int)
    /// Requests nothing at first, and everything a number of milliseconds of virtual time after the start; the code
    /// that subscribes sees to that.
    case late(Int)
    /// Requests nothing at first, and one value a number of milliseconds of virtual time after the start, which the code that
    /// subscribes sees to; and one more for each value received.
    case lateOneByOne(Int)

    /// The number of values that are requested in all; nil where that has no bound.
    public var limit: Int? {
        switch self {
        case .upTo(let count), .oneByOneUpTo(let count): max(count, 0)
        case .unlimited, .oneByOne, .bursts, .late, .lateOneByOne, .resuming: nil
        }
    }

    /// The number of milliseconds after the start at which more is requested, which the code that subscribes sees to, and how
    /// much that is; nil where nothing is left to it.
    public var resumption: (milliseconds: Int, demand: Subscribers.Demand)? {
        switch self {
        case .late(let milliseconds), .resuming(_, at: let milliseconds): (milliseconds, .unlimited)
        case .lateOneByOne(let milliseconds): (milliseconds, .max(1))
        case .unlimited, .oneByOne, .bursts, .upTo, .oneByOneUpTo: nil
        }
    }

    /// What is requested with the subscription.
    var initial: Subscribers.Demand {
        switch self {
        case .unlimited: .unlimited
        case .oneByOne: .max(1)
        case .bursts(let sizes): sizes.first { $0 > 0 }.map { .max($0) } ?? .unlimited
        case .upTo(let count), .resuming(let count, at: _): .max(max(count, 0))
        case .oneByOneUpTo(let count): .max(min(max(count, 0), 1))
        case .late, .lateOneByOne: .none
        }
    }

    /// What is requested in return for the value of that number, counted from 1.
    func demand(after count: Int) -> Subscribers.Demand {
        switch self {
        case .unlimited, .upTo, .late, .resuming: return .none
        case .oneByOne, .lateOneByOne: return .max(1)
        case .oneByOneUpTo(let limit): return count < limit ? .max(1) : .none
        case .bursts(let sizes):
            var sum = 0
            let sizes = sizes.filter { $0 > 0 }
            for (index, size) in sizes.enumerated() {
                let (next, isBeyond) = sum.addingReportingOverflow(size)
                if isBeyond { return .none }
                sum = next
                if count == sum { return index + 1 < sizes.count ? .max(sizes[index + 1]) : .unlimited }
            }
            return .none
        }
    }

    /// A generator of policies; unlimited is the simplest. Some request nearly everything, on top of what is open: such a sum
    /// must not overflow. Some end midway: their `limit` says where.
    public static var random: Gen<DemandPolicy> {
        Gen { choices in
            switch choices.int(in: 0...8) {
            case 0, 8: .unlimited
            case 1: .oneByOne
            case 2: .late(choices.int(in: 1...20))
            case 3: .bursts(choices.array(upTo: 4) { $0.element(of: [1, 1, 2, 2, 3, 3, .max - 1]) })
            case 4: .upTo(choices.int(in: 0...5))
            case 5: .oneByOneUpTo(choices.int(in: 1...5))
            case 6: .lateOneByOne(choices.int(in: 1...20))
            default: .resuming(choices.int(in: 1...4), at: choices.int(in: 1...20))
            }
        }
    }
}

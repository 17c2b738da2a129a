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
    /// Requests nothing at first, and everything a number of milliseconds of virtual time after the start; the code
    /// that subscribes sees to that.
    case late(Int)

    /// What is requested with the subscription.
    var initial: Subscribers.Demand {
        switch self {
        case .unlimited: .unlimited
        case .oneByOne: .max(1)
        case .bursts(let sizes): sizes.first { $0 > 0 }.map { .max($0) } ?? .unlimited
        case .upTo(let count): .max(max(count, 0))
        case .late: .none
        }
    }

    /// What is requested in return for the value of that number, counted from 1.
    func demand(after count: Int) -> Subscribers.Demand {
        switch self {
        case .unlimited, .upTo, .late: return .none
        case .oneByOne: return .max(1)
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
    /// must not overflow.
    public static var random: Gen<DemandPolicy> {
        Gen { choices in
            switch choices.int(in: 0...3) {
            case 0: .unlimited
            case 1: .oneByOne
            case 2: .late(choices.int(in: 1...20))
            default: .bursts(choices.array(upTo: 4) { $0.element(of: [1, 1, 2, 2, 3, 3, .max - 1]) })
            }
        }
    }
}

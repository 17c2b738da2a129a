import Streams

/// The actions of an interleaving's lanes, and of the subscriber inside its values; their order is drawn while it runs.
struct InterleavingPlan: Sendable, CustomStringConvertible {
    /// The demand that the subscriber returns for a value.
    struct Answer: Sendable {
        /// From inside it, before others go on.
        var inside: Int
        /// In return for it.
        var returned: Int
    }

    /// How an upstream ends.
    enum End: Int, Sendable {
        case none, finished, failed
    }

    var kind: TestPublisher<Int>.Kind
    var values: [[Int]]
    var ends: [End]
    /// Whether all values come before more than one is requested: then there is much to deliver while an end comes.
    var isFilledFirst: Bool
    var initial: Subscribers.Demand
    var requests: [Int]
    /// For the first value, the second, and so on.
    var answers: [Answer]
    var cancels: Bool
    /// By how many milliseconds the clock moves each time.
    var advances: [Int]

    init(inputs: Int, isTimed: Bool, _ choices: inout Choices) {
        let most = inputs == 1 ? 7 : 4
        values = (0..<inputs).map { input in choices.array(upTo: most) { _ in 0 }.indices.map { 10 * input + $0 } }
        ends = (0..<inputs).map { _ in End(rawValue: choices.int(in: 0...2)) ?? .none }
        isFilledFirst = choices.chance(1, of: 4)
        // An operator that has been asked for nothing may have asked for nothing.
        initial =
            isFilledFirst
            ? .max(choices.int(in: 0...1)) : choices.chance(1, of: 4) ? .unlimited : .max(choices.int(in: 0...2))
        requests = choices.array(upTo: 4) { $0.int(in: 1...3) }
        answers = choices.array(upTo: 4) { Answer(inside: $0.int(in: 0...2), returned: $0.int(in: 0...2)) }
        cancels = choices.chance(1, of: 3)
        kind = choices.chance(1, of: 2) ? .hot : .cold
        advances = isTimed ? choices.array(upTo: 4) { $0.int(in: 1...4) } : []
    }

    func answer(to count: Int) -> Answer {
        count <= answers.count ? answers[count - 1] : Answer(inside: 0, returned: 0)
    }

    var description: String {
        "\(kind), values \(values)\(isFilledFirst ? " at first" : ""), ends \(ends), requests \(initial) at first, then \(requests), inside values "
            + "\(answers.map(\.inside)), in return \(answers.map(\.returned))\(cancels ? ", a cancel" : "")"
            + (advances.isEmpty ? "" : ", the clock moves by \(advances) ms")
    }
}

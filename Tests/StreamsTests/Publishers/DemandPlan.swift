import Streams
import StreamsTesting

/// A random run of a stream with a queue: what is sent, requested and ended, from outside and from inside its values.
struct DemandPlan: Sendable, CustomStringConvertible {
    enum Action: Sendable, Hashable {
        /// So many values, one after the other.
        case send(Int)
        /// As long as something is requested, so many at most.
        case sendWhileRequested(Int)
        case request(Subscribers.Demand)
        case finish
        case fail
        case cancel
    }

    /// What a subscriber does inside a value.
    struct Answer: Sendable {
        var actions: [Action]
        var demand: Subscribers.Demand
    }

    /// How many values are kept that nobody has requested.
    var limit: Int
    var overflow: DemandModel.Overflow
    var initial: Subscribers.Demand
    var actions: [Action]
    /// For the first value, the second, and so on.
    var answers: [Answer]

    var description: String {
        "keeps \(limit == .max ? "all" : "\(limit)"), then \(overflow); requests \(initial) at first\noutside: "
            + actions.map { "\($0)" }.joined(separator: ", ")
            + answers.enumerated().map { index, answer in
                "\nvalue \(index + 1): "
                    + (answer.actions.map { "\($0)" } + ["returns \(answer.demand)"])
                    .joined(separator: ", ")
            }.joined()
    }

    var labels: [String] {
        let inside = answers.flatMap(\.actions)
        var labels: [String] = []
        if inside.contains(where: \.isRequest) { labels.append("requests inside a value") }
        if inside.contains(where: \.isSend) { labels.append("sends inside a value") }
        if answers.contains(where: { $0.demand > .none }) { labels.append("returns demand") }
        if (actions + inside).contains(.finish) { labels.append("finishes") }
        return labels
    }

    static let random = Gen<DemandPlan> { choices in
        let kind = choices.int(in: 0...4)
        let demand = Gen<Subscribers.Demand> { choices in
            choices.chance(1, of: 12) ? .unlimited : .max(choices.int(in: 1...4))
        }
        let action = Gen<Action> { choices in
            switch choices.int(in: 0...15) {
            case 0...5: .send(choices.int(in: 1...4))
            case 6...10: .request(demand.draw(&choices))
            case 11...12: .sendWhileRequested(choices.int(in: 1...6))
            case 13: .finish
            case 14: .fail
            default: choices.chance(1, of: 3) ? .cancel : .request(demand.draw(&choices))
            }
        }
        return DemandPlan(
            limit: kind == 0 ? .max : choices.int(in: 0...3),
            overflow: kind < 2 ? .dropNewest : kind < 4 ? .dropOldest : .fail,
            initial: choices.chance(1, of: 2) ? demand.draw(&choices) : .none,
            actions: choices.array(upTo: 12, action.draw),
            answers: choices.array(upTo: 8) { choices in
                Answer(
                    actions: choices.array(upTo: 3, action.draw),
                    demand: choices.chance(1, of: 3) ? demand.draw(&choices) : .none)
            })
    }
}

extension DemandPlan.Action {
    fileprivate var isRequest: Bool { if case .request = self { true } else { false } }
    fileprivate var isSend: Bool {
        switch self {
        case .send, .sendWhileRequested: true
        default: false
        }
    }
}

/// What should come of a plan: deliveries take no time, and whatever happens inside one happens there and then.
struct DemandModel {
    enum Overflow: Sendable { case dropNewest, dropOldest, fail }

    enum End: Sendable, Equatable { case finished, failed, overflowed, cancelled }

    /// What came out.
    struct Outcome: Sendable, Equatable {
        var values: [Int] = []
        var end: End?
        /// What a producer saw requested before each look.
        var requested: [Subscribers.Demand] = []
    }

    /// Whether one that sends inside a value is a source of serial signals: what it sends inside a value that it is just
    /// sending comes when it is through with that.
    private let isSerial: Bool
    private let plan: DemandPlan
    private var outcome = Outcome()
    private var demand = Subscribers.Demand.none
    private var ready: [Int] = []
    private var kept: [Int] = []
    private var end: End?
    private var sent = 0
    private var isDelivering = false
    private var isSourceBusy = false
    private var delayed: [DemandPlan.Action] = []

    static func outcome(of plan: DemandPlan, isSerial: Bool = false) -> Outcome {
        var model = DemandModel(plan, isSerial: isSerial)
        model.perform(.request(plan.initial))
        for action in plan.actions { model.perform(action) }
        return model.outcome
    }

    private init(_ plan: DemandPlan, isSerial: Bool) {
        self.plan = plan
        self.isSerial = isSerial
    }

    private mutating func perform(_ action: DemandPlan.Action) {
        switch action {
        case .request(let more):
            demand += more
            while demand > .none, !kept.isEmpty {
                demand -= 1
                ready.append(kept.removeFirst())
            }
            deliver()
        case .cancel:
            if outcome.end == nil { outcome.end = .cancelled }
        case .send(let count): for _ in 0..<count { signal(.send(1)) }
        case .finish, .fail: signal(action)
        case .sendWhileRequested(let count):
            for _ in 0..<count {
                let requested = end == nil && outcome.end == nil ? demand : .none
                outcome.requested.append(requested)
                guard requested > .none else { break }
                signal(.send(1))
            }
        }
    }

    private mutating func signal(_ action: DemandPlan.Action) {
        guard isSerial else { return accept(action) }
        delayed.append(action)
        guard !isSourceBusy else { return }
        isSourceBusy = true
        while !delayed.isEmpty { accept(delayed.removeFirst()) }
        isSourceBusy = false
    }

    private mutating func accept(_ action: DemandPlan.Action) {
        if case .send = action { sent += 1 }
        guard end == nil, outcome.end == nil else { return }
        switch action {
        case .finish: end = .finished
        case .fail: end = .failed
        default:
            if demand > .none {
                demand -= 1
                ready.append(sent)
            } else if kept.count < plan.limit {
                kept.append(sent)
            } else {
                switch plan.overflow {
                case .dropNewest: break
                case .dropOldest: kept = Array((kept + [sent]).suffix(plan.limit))
                case .fail:
                    kept = []
                    end = .overflowed
                }
            }
        }
        deliver()
    }

    private mutating func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while outcome.end == nil, !ready.isEmpty {
            outcome.values.append(ready.removeFirst())
            let number = outcome.values.count
            guard number <= plan.answers.count else { continue }
            for action in plan.answers[number - 1].actions { perform(action) }
            perform(.request(plan.answers[number - 1].demand))
        }
        if outcome.end == nil, ready.isEmpty, kept.isEmpty { outcome.end = end }
        isDelivering = false
    }
}

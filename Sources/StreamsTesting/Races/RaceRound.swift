import Streams

/// The plan of a race between a sender and who requests.
struct RacePlan: Sendable, CustomStringConvertible {
    /// How many values come of each upstream before the threads begin, and then.
    var early: Int
    var late: Int
    var finishes: Bool
    var cancels: Bool
    var initial: Int
    var requests: Int
    /// For every value of a number that this divides, the subscriber returns one more; 0 for never.
    var returnsAt: Int
    /// How long each thread pauses between two steps of its own. One that never does leaves the operator no moment of rest: whatever
    /// that does then is done with new signals waiting.
    var senderPause: Int
    var requesterPause: Int

    init(_ choices: inout Choices) {
        early = choices.int(in: 0...choices.element(of: [40, 200]))
        late = choices.int(in: 1...40)
        finishes = choices.chance(1, of: 2)
        // Mostly none: so much waits when the race begins that delivering it takes as long as the race.
        initial = choices.element(of: [0, 0, 0, 1, 2])
        requests = choices.int(in: 0...40)
        returnsAt = choices.element(of: [0, 1, 1, 2, 3])
        cancels = choices.chance(1, of: 4)
        senderPause = choices.element(of: [0, 0, 30, 100, 300])
        requesterPause = choices.element(of: [0, 0, 30, 100, 300])
    }

    var description: String {
        "\(early) values at first and \(late) in the race\(finishes ? ", an end" : ""); \(initial) requested at first and "
            + "\(requests) times one in the race, one more returned at every \(returnsAt)th value"
            + "\(cancels ? ", then a cancel" : ""); pauses of \(senderPause) and \(requesterPause)"
    }
}

/// A race in which the first upstream sends on the one thread, while requests and the other upstreams come on the other.
struct RaceRound<Output: Equatable & Sendable>: DuelRound {
    private let plan: RacePlan
    private let upstreams: [TestPublisher<Int>]
    private let subscriber: RecordingSubscriber<Output, any Error>

    init(
        _ plan: RacePlan, _ inputs: Int,
        _ make: ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>
    ) {
        self.plan = plan
        // A cancel takes a while, as they do: what another thread finds half done meanwhile has time to show.
        let patience = plan.cancels ? 300 : 0
        upstreams = (0..<inputs).map { _ in
            TestPublisher<Int>(.cold, onCallOut: { pass(patience) })
        }
        subscriber = RecordingSubscriber(
            initialDemand: .max(plan.initial),
            demandForValue: { plan.returnsAt > 0 && $0.isMultiple(of: plan.returnsAt) ? .max(1) : .none })
        make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(subscriber)
        for input in 0..<inputs {
            for number in 0..<plan.early { upstreams[input].send(value(number, of: input)) }
        }
    }

    func left() {
        for number in plan.early..<(plan.early + plan.late) {
            upstreams.first?.send(value(number, of: 0))
            pass(plan.senderPause)
        }
        if plan.finishes { upstreams.first?.send(.finished) }
    }

    func right() {
        for number in 0..<max(plan.requests, plan.late) {
            pass(plan.requesterPause)
            if number < plan.requests { subscriber.request(.max(1)) }
            guard number < plan.late else { continue }
            for input in upstreams.indices.dropFirst() { upstreams[input].send(value(plan.early + number, of: input)) }
        }
        if plan.cancels { return subscriber.cancel() }
        guard plan.finishes else { return }
        for upstream in upstreams.dropFirst() { upstream.send(.finished) }
    }

    func problem(_ count: (@Sendable ([[Int]]) -> Int)?, _ keepsOrder: Bool) -> String? {
        subscriber.request(.unlimited)
        defer { subscriber.cancel() }
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        if plan.cancels {
            return upstreams.contains(where: \.isOpen) ? "the cancel did not reach every upstream" : nil
        }
        let sent = upstreams.indices.map { input in (0..<(plan.early + plan.late)).map { value($0, of: input) } }
        if let count, subscriber.values.count != count(sent) {
            return "\(count(sent)) values were to come, \(subscriber.values.count) came"
        }
        guard keepsOrder, let values = subscriber.values as? [Int] else { return nil }
        for input in upstreams.indices {
            let own = values.filter { $0 / 1_000 == input + 1 }
            if own != own.sorted() { return "not in order: \(own)" }
        }
        return nil
    }

    private func value(_ number: Int, of input: Int) -> Int { 1_000 * (input + 1) + number }
}

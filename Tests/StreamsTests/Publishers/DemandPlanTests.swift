import Streams
import StreamsTesting
import Testing

/// `create`, `buffer` and `ReplaySubject` against one model. `STREAMS_CASES` asks for another number of plans.
@Suite("Queues with demand equal their model")
struct DemandPlanTests {
    private static let cases = PropertySettings.cases ?? 20_000
    private typealias Subscriber = RecordingSubscriber<Int, TestError>

    /// What a plan is run against.
    private struct Subject: Sendable {
        var send: @Sendable (Int) -> Void
        var end: @Sendable (Subscribers.Completion<TestError>) -> Void
        /// Nil where nobody can ask.
        var requested: (@Sendable () -> Subscribers.Demand)?
    }

    private func check(
        _ name: String, _ plans: Gen<DemandPlan>, isSerial: Bool = false,
        _ start: @escaping @Sendable (DemandPlan, Subscriber) -> Subject
    ) async throws {
        try await onOwnThread { [self] in
            _ = try forAll(
                name, plans, cases: Self.cases,
                coverage: ["requests inside a value": 0.3, "sends inside a value": 0.3, "returns demand": 0.3],
                labels: \.labels
            ) { plan in
                let expected = DemandModel.outcome(of: plan, isSerial: isSerial)
                let (actual, violations) = run(plan, start)
                guard actual == expected else { throw Disproof("expected \(expected)\nactual   \(actual)") }
                guard violations.isEmpty else { throw Disproof("against the contract: \(violations)") }
            }
        }
    }

    private func run(
        _ plan: DemandPlan, _ start: (DemandPlan, Subscriber) -> Subject
    ) -> (DemandModel.Outcome, [ContractViolation]) {
        let subject = Recorded<Subject?>(nil)
        let sent = Counter()
        let requested = Recorded<[Subscribers.Demand]>([])
        let isCancelled = Recorded(false)
        @Sendable func perform(_ action: DemandPlan.Action, _ subscriber: Subscriber, isInside: Bool) {
            guard let subject = subject.value else { return }
            func send() {
                sent.increment()
                subject.send(sent.count)
            }
            switch action {
            case .send(let count): for _ in 0..<count { send() }
            case .sendWhileRequested(let count):
                for _ in 0..<count {
                    if let demand = subject.requested?() {
                        requested.update { $0.append(demand) }
                        guard demand > .none else { break }
                    }
                    send()
                }
            case .request(let demand): subscriber.request(demand)
            case .finish: subject.end(.finished)
            case .fail: subject.end(.failure(.expected))
            case .cancel:
                guard subscriber.completion == nil else { return }
                isCancelled.update { $0 = true }
                if isInside { subscriber.cancelInSignal() } else { subscriber.cancel() }
            }
        }
        let subscriber = Subscriber(
            initialDemand: plan.initial,
            demandForValue: { $0 <= plan.answers.count ? plan.answers[$0 - 1].demand : .none },
            onValue: { subscriber, _ in
                let number = subscriber.values.count
                guard number <= plan.answers.count else { return }
                for action in plan.answers[number - 1].actions { perform(action, subscriber, isInside: true) }
            })
        let started = start(plan, subscriber)
        subject.update { $0 = started }
        for action in plan.actions { perform(action, subscriber, isInside: false) }
        let end: DemandModel.End? =
            switch subscriber.completion {
            case .finished: .finished
            case .failure(.overflow): .overflowed
            case .failure: .failed
            case nil: isCancelled.value ? .cancelled : nil
            }
        // Lets go of the cycle through the subscriber's closures.
        subject.update { $0 = nil }
        return (
            DemandModel.Outcome(values: subscriber.values, end: end, requested: requested.value), subscriber.violations
        )
    }

    @Test("create, with each strategy")
    func create() async throws {
        // Two of the strategies keep nothing.
        let plans = DemandPlan.random.map { plan in
            var plan = plan
            if plan.overflow != .dropOldest, plan.limit != .max { plan.limit = 0 }
            return plan
        }
        try await check("create", plans) { plan, subscriber in
            let emitters = Recorded<Emitter<Int, TestError>?>(nil)
            AnyPublisher<Int, TestError>.create(plan.strategy) { emitter in
                emitters.update { $0 = emitter }
                return Disposable()
            }.subscribe(subscriber)
            return Subject(
                send: { emitters.value?.send($0) }, end: { emitters.value?.send(completion: $0) },
                requested: { emitters.value?.requested ?? .none })
        }
    }

    @Test("buffer, whatever it does when it is full")
    func buffer() async throws {
        try await check("buffer", DemandPlan.withoutLooks, isSerial: true) { plan, subscriber in
            let subject = PassthroughSubject<Int, TestError>()
            subject.buffer(size: plan.limit, prefetch: .byRequest, whenFull: plan.whenFull).subscribe(subscriber)
            return Subject(send: subject.send, end: subject.send(completion:))
        }
    }

    @Test("ReplaySubject, which keeps everything for each subscriber")
    func replay() async throws {
        let unbounded = DemandPlan.withoutLooks.map { plan in
            var plan = plan
            plan.limit = .max
            return plan
        }
        try await check("ReplaySubject", unbounded, isSerial: true) { _, subscriber in
            let subject = ReplaySubject<Int, TestError>(bufferSize: 2)
            subject.subscribe(subscriber)
            return Subject(send: subject.send, end: subject.send(completion:))
        }
    }
}

extension DemandPlan {
    /// For streams whose producers cannot see what is requested.
    fileprivate static let withoutLooks = random.map { plan in
        func blind(_ actions: [Action]) -> [Action] {
            actions.map { if case .sendWhileRequested(let count) = $0 { .send(count) } else { $0 } }
        }
        var plan = plan
        plan.actions = blind(plan.actions)
        plan.answers = plan.answers.map { Answer(actions: blind($0.actions), demand: $0.demand) }
        return plan
    }

    fileprivate var strategy: BackpressureStrategy<TestError> {
        switch overflow {
        case .dropNewest: limit == .max ? .unbounded : .dropNewest
        case .dropOldest: .buffer(limit)
        case .fail: .fail(.overflow)
        }
    }

    fileprivate var whenFull: Publishers.BufferingStrategy<TestError> {
        switch overflow {
        case .dropNewest: .dropNewest
        case .dropOldest: .dropOldest
        case .fail: .customError { .overflow }
        }
    }
}

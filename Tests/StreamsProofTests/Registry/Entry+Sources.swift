import Streams
import StreamsTesting
import Synchronization

extension Entry {
    /// A publisher that has no upstream.
    ///
    /// - Parameters:
    ///   - expected: What it delivers to whoever requests everything.
    ///   - end: How it ends behind that.
    ///   - isLazy: Whether it finds its end only when more is requested.
    init<P: Publisher>(
        source names: String, _ expected: [P.Output], _ end: ModelEnd? = .finished, isLazy: Bool = false,
        except exceptions: Set<ConformanceRule> = [],
        make: @escaping @Sendable () -> P
    ) where P.Output: Equatable {
        self.names = names.split(separator: " ").map(String.init)
        let conformance = Conformance<P.Output>.publisher(names, except: exceptions, make: make)
        checks = [
            (
                "model",
                { cases in
                    try forAll("\(names) delivers what it should", DemandPolicy.random, cases: cases) { demand in
                        let subscriber = RecordingSubscriber<P.Output, P.Failure>(demand: demand)
                        // A subject has to live until then.
                        let publisher = make()
                        publisher.subscribe(subscriber)
                        if let (_, late) = demand.resumption { subscriber.request(late) }
                        let wanted = Array(expected.prefix(demand.limit ?? .max))
                        guard subscriber.values == wanted else { throw Disproof("\(subscriber.values)") }
                        let actual = subscriber.timeline.end?.modelEnd
                        let isEnding = wanted.count == expected.count && !(isLazy && wanted.count == demand.limit)
                        guard actual == (isEnding ? end : nil) else {
                            throw Disproof("\(subscriber.values), then \(String(describing: actual))")
                        }
                        guard subscriber.violations.isEmpty else { throw Disproof("\(subscriber.violations)") }
                    }
                }
            ),
            ("contract", { _ in try conformance.verify() }),
        ]
    }

    /// A subject that lives longer than its subscribers.
    init<S: Subject>(subject name: String, make: @escaping @Sendable () -> S) where S.Output == Int {
        names = [name]
        let conformance = Conformance<Int>.publisher(name, make: make)
        checks = [
            ("contract", { _ in try conformance.verify() }),
            (
                "departure",
                { _ in
                    let upstream = CancelCount()
                    make().send(subscription: upstream)
                    let cancels = upstream.cancels.load(ordering: .relaxed)
                    if cancels != 1 { throw Disproof("it has cancelled its upstream \(cancels) times when it went") }
                }
            ),
        ]
    }

    /// A publisher that anybody may send to, from any thread: two upstreams do, and the first of them to end ends it.
    init<P: Publisher>(
        fed names: String, _ label: String, startingWith first: [Int] = [], _ queue: QueueModel<Int>,
        make: @escaping @Sendable ([Upstream]) -> P
    ) where P.Output == Int {
        self.names = names.split(separator: " ").map(String.init)
        let model = OperatorModel<Int>.schedule { signals in
            var outcome = OperatorModel<Int>.Outcome(first)
            for (_, signal) in signals where outcome.end == nil {
                if case .value(let value) = signal { outcome.values.append(value) }
                outcome.end = signal.modelEnd
            }
            return outcome
        }
        // The upstreams are connected before there is a subscriber.
        let traits: OperatorTraits = [.dependsOnDemand, .keepsUpstream, .connectsEarly]
        let property = OperatorProperty<Int>(label, inputs: 2, traits, model: model) { upstreams, _ in make(upstreams) }
            .keeping(queue)
        let interleavings = InterleavingProperty<Int>(
            label, inputs: 2, model: model, queue: queue, asksAhead: true, make: make)
        let races = RaceProperty<Int>(label, inputs: 2, keepsOrder: true, make: make)
        checks = [
            ("model", { _ = try property.check(cases: $0) }),
            ("interleavings", { _ = try interleavings.check(cases: $0) }),
            ("races", { try races.check(cases: max($0 / 100, 1)) }),
        ]
    }

    /// An operator of publishers: the rules hold for those that it subscribes to as they do for an upstream. The one that is looked at
    /// is the second.
    ///
    /// - Parameter first: The publisher before it. A value of it may have to wait for demand when the second's turn comes.
    init<P: Publisher>(
        inner names: String, _ label: String,
        behind first: Upstream = Just(7).setFailureType(to: TestFailure.self).eraseToAnyPublisher(),
        make: @escaping @Sendable (AnyPublisher<Upstream, TestFailure>) -> P
    ) {
        self.names = names.split(separator: " ").map(String.init)
        let conformance = Conformance<P.Output>(label, inputs: 1) { upstreams in
            make([first, upstreams[0]].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher())
        }
        checks = [("contract", { _ in try conformance.verify() })]
    }

    /// A publisher that makes its values when they are requested, as many as 100.
    ///
    /// - Parameters:
    ///   - eager: How many values it makes beyond those that are requested, before it is told of any request.
    ///   - make: Makes it of what makes the next value: nil behind the last.
    init<P: Publisher>(
        pulling names: String, _ label: String, eager: Int = 0,
        make: @escaping @Sendable (@escaping @Sendable () -> Int?) -> P
    )
    where P.Output == Int {
        self.names = names.split(separator: " ").map(String.init)
        checks = [
            (
                "pace",
                { cases in
                    try forAll("\(label) makes no more than is requested", DemandPolicy.random, cases: cases) {
                        demand in
                        let made = Atomic(0)
                        let early = Atomic(0)
                        let queued = Atomic(0)
                        // The first value of a late one is requested alone, and all the others are in return for it.
                        let isLate = demand.resumption != nil
                        let subscriber =
                            isLate
                            ? RecordingSubscriber<Int, P.Failure>(
                                initialDemand: .none, demandForValue: { $0 == 1 ? .unlimited : .none })
                            : RecordingSubscriber<Int, P.Failure>(demand: demand)
                        make { [weak subscriber] in
                            guard let subscriber else { return nil }
                            let number = made.load(ordering: .relaxed)
                            let delivered = subscriber.values.count
                            if subscriber.openDemand + (eager + delivered) <= .max(number) {
                                early.add(1, ordering: .relaxed)
                            }
                            queued.max(number - delivered, ordering: .relaxed)
                            guard number < 100 else { return nil }
                            return made.add(1, ordering: .relaxed).oldValue
                        }.subscribe(subscriber)
                        if isLate { subscriber.request(.max(1)) }
                        let (count, most) = (early.load(ordering: .relaxed), queued.load(ordering: .relaxed))
                        guard count == 0 else { throw Disproof("\(count) values were made that nobody had requested") }
                        guard most <= 32 else { throw Disproof("\(most) values were made and waited") }
                        let wanted = Array(0..<min(demand.limit ?? .max, 100))
                        guard subscriber.values == wanted else { throw Disproof("\(subscriber.values)") }
                        guard subscriber.violations.isEmpty else { throw Disproof("\(subscriber.violations)") }
                    }
                }
            )
        ]
    }
}

/// Counts its cancels.
private final class CancelCount: Subscription {
    let cancels = Atomic(0)

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancels.add(1, ordering: .relaxed) }
}

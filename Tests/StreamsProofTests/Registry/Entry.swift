import Streams
import StreamsTesting
import Synchronization
import Testing

typealias Upstream = AnyPublisher<Int, TestFailure>

/// An operator in the registry: its public names, its model, and what it is checked by.
struct Entry: Sendable, CustomTestStringConvertible {
    /// The names under which users call what this entry checks.
    let names: [String]
    /// The checks, and how they are made; the number is how many random cases there are.
    var checks: [(label: String, run: @Sendable (_ cases: Int) throws -> Void)]

    var testDescription: String { names.joined(separator: ", ") }

    /// The operator against its model, against the contract, and under any interleaving.
    ///
    /// - Parameters:
    ///   - names: Separated by spaces.
    ///   - exceptions: Rules that don't apply, with the reason beside the entry.
    ///   - inputs: How many of the upstreams are checked against the contract; nil for all. The others just deliver.
    ///   - count: How many values come of those that go in, where that doesn't depend on the order.
    ///   - queue: What becomes of what it would deliver and nobody has requested.
    ///   - isExact: Whether what comes follows from the order of signals and requests alone, when nobody knows time.
    ///   - allows: Whether a value may be delivered when these signals have come.
    ///   - inOrder: Whether it takes what comes of several upstreams in the order in which it comes.
    init<Output>(
        _ names: String, _ demandless: OperatorProperty<Output>, except exceptions: Set<ConformanceRule> = [],
        feeding inputs: Int? = nil, counting count: (@Sendable ([[Int]]) -> Int)? = nil,
        queue: QueueModel<Output>? = QueueModel(), isExact: Bool = true,
        allows: InterleavingProperty<Output>.Allowance? = nil,
        inOrder: Bool = false
    ) {
        self.names = names.split(separator: " ").map(String.init)
        let property = demandless.keeping(queue)
        let isTimed = property.traits.contains(.deliversOnScheduler)
        let interleavings = InterleavingProperty<Output>(
            property.name, inputs: property.inputs, count: count, model: isExact ? property.model : nil,
            queue: queue ?? QueueModel(), allows: allows, isTimed: isTimed, make: property.make)
        let races = RaceProperty<Output>(property.name, inputs: property.inputs, count: count) {
            property.make($0, VirtualTimeScheduler())
        }
        checks = [
            ("model", { _ = try property.check(cases: $0) }),
            (
                "contract",
                { _ in
                    try Conformance(property.name, inputs: inputs ?? property.inputs, except: exceptions) { upstreams in
                        let others = (upstreams.count..<property.inputs).map { _ in
                            (0..<100).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
                        }
                        return property.make(upstreams + others, VirtualTimeScheduler())
                    }.verify()
                }
            ),
        ]
        checks.append(("interleavings", { _ = try interleavings.check(cases: $0) }))
        // Where the clock would have to move for the subscriber to be let go of, it stands still here.
        if !exceptions.contains(.subscriberIsReleased) {
            // Each case is 50 races; the more where the operator itself keeps what comes too early.
            let share = exceptions == .keepsEverything ? 100 : 500
            checks.append(("races", { try races.check(cases: max($0 / share, 1)) }))
        }
        if inOrder { checks.append(("order", { try property.checkOrder(cases: max($0 / 100, 1)) })) }
    }

    /// An operator that knows time: the same, and where it delivers.
    init<Output>(
        _ names: String, _ property: OperatorProperty<Output>, delivers place: Place,
        except exceptions: Set<ConformanceRule> = [], queue: QueueModel<Output>? = QueueModel(), isExact: Bool = true
    ) {
        self.init(names, property, except: exceptions, queue: queue, isExact: isExact && queue != nil)
        guard place == .onScheduler else { return }
        let delivery = DeliveryProperty<Output>(property.name) { property.make([$0], $1) }
        checks.append(("delivery", { _ = try delivery.check(cases: $0) }))
    }

    /// Where an operator that knows time delivers.
    enum Place {
        /// On its scheduler alone, never inside a request.
        case onScheduler
        /// On the upstream's thread: it says so.
        case withUpstream
    }

    /// A publisher that has no upstream.
    init<P: Publisher>(
        source names: String, _ expected: [P.Output], except exceptions: Set<ConformanceRule> = [],
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
                        if case .late = demand { subscriber.request(.unlimited) }
                        guard subscriber.values == expected else { throw Disproof("\(subscriber.values)") }
                        guard subscriber.violations.isEmpty else { throw Disproof("\(subscriber.violations)") }
                    }
                }
            ),
            ("contract", { _ in try conformance.verify() }),
        ]
    }
}

extension Entry {
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
        let property = OperatorProperty<Int>(label, inputs: 2, [.dependsOnDemand, .keepsUpstream], model: model) {
            upstreams, _ in make(upstreams)
        }.keeping(queue)
        let interleavings = InterleavingProperty<Int>(label, inputs: 2, model: model, queue: queue, make: make)
        let races = RaceProperty<Int>(label, inputs: 2, make: make)
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
    ///   - eager: How many values it makes before anything is requested.
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
                        let isLate = if case .late = demand { true } else { false }
                        let subscriber =
                            isLate
                            ? RecordingSubscriber<Int, P.Failure>(
                                initialDemand: .none, demandForValue: { $0 == 1 ? .unlimited : .none })
                            : RecordingSubscriber<Int, P.Failure>(demand: demand)
                        make { [weak subscriber] in
                            guard let subscriber else { return nil }
                            let number = made.load(ordering: .relaxed)
                            let delivered = subscriber.values.count
                            if number >= eager, subscriber.openDemand + delivered <= .max(number) {
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
                        guard subscriber.values == Array(0..<100) else { throw Disproof("\(subscriber.values)") }
                        guard subscriber.violations.isEmpty else { throw Disproof("\(subscriber.violations)") }
                    }
                }
            )
        ]
    }
}

extension Set<ConformanceRule> {
    /// It asks for everything, as it says, and keeps the newest or drops what nobody has requested.
    static let takesEverything: Set = [.asksForNoMore]
    /// The same, and what comes before anybody requests it, or while it is being connected, is there before a cancel.
    static let keepsEverything: Set = [.asksForNoMore, .keepsPace]
}

/// Counts its cancels.
private final class CancelCount: Subscription {
    let cancels = Atomic(0)

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancels.add(1, ordering: .relaxed) }
}

extension QueueModel {
    /// Everything waits, and a failure doesn't.
    static var overtaken: QueueModel { QueueModel(overtaking: .failure) }
    /// The newest value waits.
    static var newest: QueueModel { QueueModel(keeping: 1, .dropOldest) }
    /// The newest value waits, and a failure doesn't.
    static var newestOvertaken: QueueModel {
        QueueModel(keeping: 1, .dropOldest, overtaking: .failure, waitsForDelivery: true)
    }
    /// Nothing waits.
    static var nothing: QueueModel { QueueModel(keeping: 0) }
}

/// Every public operator.
enum Registry {
    static var entries: [Entry] {
        stages + folds + joins + flattenings + failures + times + flows + queues + shares + sources
    }
}

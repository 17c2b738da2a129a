import Streams
import StreamsTesting
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
    ///   - keepsOrder: Whether it delivers values of its upstreams as they are, each upstream's in their order.
    ///   - inOrder: Whether it takes what comes of several upstreams in the order in which it comes.
    init<Output>(
        _ names: String, _ demandless: OperatorProperty<Output>, except exceptions: Set<ConformanceRule> = [],
        feeding inputs: Int? = nil, counting count: (@Sendable ([[Int]]) -> Int)? = nil,
        queue: QueueModel<Output>? = QueueModel(), isExact: Bool = true,
        allows: InterleavingProperty<Output>.Allowance? = nil,
        inOrder: Bool = false, keepingOrder keepsOrder: Bool = false
    ) {
        self.names = names.split(separator: " ").map(String.init)
        let property = demandless.keeping(queue).adding(exceptions.contains(.asksForNoMore) ? .asksAhead : [])
        let isTimed = property.traits.contains(.deliversOnScheduler)
        let interleavings = InterleavingProperty<Output>(
            property.name, inputs: property.inputs, count: count, model: isExact ? property.model : nil,
            queue: queue ?? QueueModel(), allows: allows, isTimed: isTimed,
            asksAhead: property.traits.contains(.asksAhead), make: property.make)
        // What comes follows from the order of the signals alone.
        let isOrdered =
            isExact && queue?.limit == .max && property.traits.isDisjoint(with: [.deliversOnScheduler, .coldOnly])
        let races = RaceProperty<Output>(
            property.name, inputs: property.inputs, count: count, keepsOrder: keepsOrder,
            model: isOrdered ? property.model : nil
        ) {
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
            // Each case is 150 races, and 200 more where there is a model; more cases where the operator itself keeps what comes too early.
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
}

extension Set<ConformanceRule> {
    /// It asks for everything, as it says, and keeps the newest or drops what nobody has requested.
    static let takesEverything: Set = [.asksForNoMore]
    /// The same, and what comes before anybody requests it, or while it is being connected, is there before a cancel.
    static let keepsEverything: Set = [.asksForNoMore, .keepsPace]
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

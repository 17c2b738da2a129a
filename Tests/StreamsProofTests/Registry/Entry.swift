import Streams
import StreamsTesting
import Testing

typealias Upstream = AnyPublisher<Int, TestFailure>

/// An operator in the registry: its public names, its model, and what it is checked by.
struct Entry: Sendable, CustomTestStringConvertible {
    /// The names under which users call what this entry checks.
    let names: [String]
    /// What is checked, and how; the number is how many random cases there are.
    var checks: [(label: String, run: @Sendable (_ cases: Int) throws -> Void)]

    var testDescription: String { names.joined(separator: ", ") }

    /// The operator against its model, against the contract, and under any interleaving.
    ///
    /// - Parameters:
    ///   - names: Separated by spaces.
    ///   - exceptions: Rules that don't apply, with the reason beside the entry.
    ///   - inputs: How many of the upstreams are checked against the contract; nil for all. The others just deliver.
    ///   - count: How many values come of those that go in, where that doesn't depend on the order.
    init<Output>(
        _ names: String, _ property: OperatorProperty<Output>, except exceptions: Set<ConformanceRule> = [],
        feeding inputs: Int? = nil, counting count: (@Sendable ([[Int]]) -> Int)? = nil
    ) {
        self.names = names.split(separator: " ").map(String.init)
        let interleavings = InterleavingProperty<Output>(property.name, inputs: property.inputs, count: count) {
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
        // Where the clock would have to move for the subscriber to be let go of, it stands still here.
        if !exceptions.contains(.subscriberIsReleased) {
            checks.append(("interleavings", { _ = try interleavings.check(cases: $0) }))
        }
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

/// Every public operator.
enum Registry {
    static var entries: [Entry] {
        stages + folds + joins + flattenings + failures + times + flows + shares + sources
    }
}

import OwnOperator
import Streams
import StreamsTesting
import Testing

/// What every other value means: a pure function of what has come so far.
private let everyOther = OperatorModel<Int>.values { values, end in
    .init(values.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), end)
}

@Suite("An operator of one's own")
struct EveryOtherTests {
    @Test("It equals its model under any demand and cancellation")
    func model() throws {
        try OperatorProperty("everyOther", model: everyOther) { $0.everyOther() }.check()
    }

    @Test("It keeps the contract")
    func contract() throws {
        try Conformance.operator("everyOther") { $0.everyOther() }.verify()
    }

    @Test("The hasty one is found out, with a counterexample of two values")
    func hasty() throws {
        let property = OperatorProperty("hasty", model: everyOther) { HastyEveryOther(upstream: $0) }
        let failure = try #require(throws: PropertyFailure.self) { try property.check() }
        print(failure)
        #expect(failure.counterexample == "upstream    -01-\ncold, demand oneByOne")
        #expect(failure.description.contains("STREAMS_SEED=\(failure.seed)"))
    }
}

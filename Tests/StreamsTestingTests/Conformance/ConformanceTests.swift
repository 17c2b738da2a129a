import Streams
import StreamsTesting
import Testing

@Suite("The conformance kit")
struct ConformanceTests {
    @Test("Each rule is broken by an operator that has just that fault", arguments: Fault.allCases)
    func faults(_ fault: Fault) {
        let inputs = fault == .overlaps ? 2 : 1
        let results = Conformance<Int>("faulty", inputs: inputs) { Faulty(fault: fault, upstreams: $0) }.results()
        let broken = results.filter(\.isBroken).map(\.rule)
        #expect(
            broken.contains(fault.rule), "\(fault) should break \(fault.rule); broken: \(results.filter(\.isBroken))")
    }

    @Test("An operator that calls itself for the next value is found by the stack that it takes")
    func stack() {
        let broken = Conformance<Int>.operator("faulty") { Faulty(fault: .callsItself, upstreams: [$0]) }.results()
            .filter(\.isBroken)
        #expect(broken.contains { "\($0)".contains("KB of stack") }, "\(broken)")
    }

    @Test("A publisher without upstreams is checked, and of several upstreams each one")
    func inputs() {
        let alone = Conformance<Int>.publisher("faulty") { Faulty(fault: .deliversFirst, upstreams: []) }.results()
        #expect(alone.first { $0.rule == .subscriptionComesFirst }?.isBroken == true)
        let second = Conformance<Int>("faulty", inputs: 2) { upstreams in
            upstreams[0].merge(with: Faulty(fault: .asksForEverything, upstreams: [upstreams[1]]))
        }
        let breach = second.results().first { $0.rule == .asksForNoMore }?.breach
        #expect(breach?.contains("(input 2)") == true, "\(breach ?? "none")")
    }

    @Test("Every rule has its fault")
    func complete() {
        #expect(Set(Fault.allCases.map(\.rule)) == Set(ConformanceRule.allCases))
    }

    @Test("An operator without a fault keeps every rule, and what is broken is named")
    func verification() throws {
        try Conformance<Int>.operator("map") { $0.map { $0 + 1 } }.verify()
        try Conformance<Int>("merge", inputs: 2) { $0[0].merge(with: $0[1]) }.verify()
        try Conformance<Int>.publisher("a range") { (0..<5).publisher }.verify()
        #expect {
            try Conformance<Int>.operator("faulty") { Faulty(fault: .completesTwice, upstreams: [$0]) }.verify()
        } throws: {
            "\($0)".contains("oneCompletion: signalAfterCompletion")
        }
    }

    @Test("Rules about upstreams apply where there are some, and that about several where there are several")
    func rules() {
        let alone = Set(Conformance<Int>.publisher("a range") { (0..<5).publisher }.rules)
        let ofOne = Set(Conformance<Int>.operator("map") { $0.map { $0 + 1 } }.rules)
        let ofTwo = Conformance<Int>("merge", inputs: 2) { $0[0].merge(with: $0[1]) }.rules
        #expect(ofTwo == ConformanceRule.allCases)
        #expect(ofOne == Set(ofTwo).subtracting([.signalsAreSerial]))
        #expect(
            alone
                == ofOne.subtracting([
                    .completionNeedsNoDemand, .failureNeedsNoDemand, .lateValueIsDropped,
                    .secondSubscriptionIsCancelled,
                    .cancelReachesUpstreamOnce, .earlyEndCancelsUpstream, .oneCompletion, .completionEndsAll,
                    .keepsPace,
                    .asksForNoMore,
                ]))
    }
}

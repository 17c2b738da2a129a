import Streams
import StreamsTesting
import Testing

/// Values, failures and subscriptions are the user's: whatever their deinitialisers do to the stream must find it free.
@Suite("Nothing of a user's is let go of under a lock")
struct ReleaseTests {
    @Test(
        "Charges that cancel, request, send and end the stream when they are released", arguments: ChargedOperator.all)
    func charges(_ charged: ChargedOperator) async throws {
        try await onOwnThread {
            _ = try forAll("\(charged.names)", ChargedScenario.random, cases: min(RegistryTests.cases, 5_000)) {
                charged.play($0)
            }
        }
    }

    @Test("No operator is left out")
    func completeness() {
        let covered = Set(ChargedOperator.all.flatMap(\.names))
        // These make their values themselves, or write and read them, or stop the program.
        let others: Set = [
            "publisher", "generate", "timer", "interval", "encode", "decode", "breakpoint", "breakpointOnError",
            "assertNoFailure",
        ]
        for name in Set(Registry.entries.flatMap(\.names)) where name.first?.isLowercase == true {
            #expect(covered.contains(name) || others.contains(name), "\(name) is not in ChargedOperators.swift")
        }
    }
}

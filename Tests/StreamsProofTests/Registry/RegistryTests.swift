import StreamsTesting
import Testing

@Suite("The registry of operators")
struct RegistryTests {
    /// `scripts/proof` sets STREAMS_CASES to more.
    static let cases = PropertySettings.cases ?? 1_000

    @Test("Every operator equals its model and keeps the contract", arguments: Registry.entries)
    func operators(_ entry: Entry) async throws {
        for (label, run) in entry.checks {
            do { try await onOwnThread { try run(Self.cases) } } catch { Issue.record("\(label): \(error)") }
        }
    }

    @Test("No public operator is missing")
    func completeness() throws {
        let registered = Set(Registry.entries.flatMap(\.names))
        // What ends a stream of operators, or hands a subscriber over, is no operator.
        let others: Set = [
            "sink", "assign", "values", "firstValue", "lastValue", "collected", "connect", "next", "makeAsyncIterator",
        ]
        for member in try PublicSource().members
        where ["Publisher", "ConnectablePublisher"].contains(member.container) && !others.contains(member.name) {
            let isRegistered = registered.contains(member.name)
            #expect(isRegistered, "\(member.file):\(member.line): \(member.name) has no entry in Registry/")
        }
    }
}

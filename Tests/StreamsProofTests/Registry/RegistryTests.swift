import CThread
import StreamsTesting
import Testing

@Suite("The registry of operators")
struct RegistryTests {
    /// `scripts/proof` sets STREAMS_CASES to more.
    static let cases = PropertySettings.cases ?? 1_000

    /// The entries, or those that the environment asks for: STREAMS_ONLY is the name of an operator, and STREAMS_SHARD "3/24" for
    /// the fourth of 24 parts.
    static let entries = {
        if let name = getenv("STREAMS_ONLY").map({ String(cString: $0) }) {
            return Registry.entries.filter { $0.names.contains(name) }
        }
        let shard = getenv("STREAMS_SHARD").map { String(cString: $0).split(separator: "/").compactMap { Int($0) } }
        guard let shard, shard.count == 2, shard[1] > 0 else { return Registry.entries }
        return Registry.entries.enumerated().filter { $0.offset % shard[1] == shard[0] }.map(\.element)
    }()

    @Test("Every operator equals its model and keeps the contract", arguments: entries)
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

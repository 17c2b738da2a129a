import Dispatch
import Foundation
import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Values other than images through the same decorators")
struct AnyValueTests {
    private struct Day: Codable, Equatable, Sendable {
        let date: String
        let steps: Int
    }

    /// An origin that counts its calls and answers with whatever the test says.
    private final class Origin: Source {
        private let state = Mutex((calls: 0, body: Data()))

        var calls: Int { state.withLock { $0.calls } }

        func answer(_ body: Data) { state.withLock { $0.body = body } }

        func events(for date: String) -> AnyPublisher<DataEvent, LoadError> {
            Deferred { [self] in
                let body = state.withLock { state in
                    state.calls += 1
                    return state.body
                }
                return [
                    DataEvent.response(DataResponse(provenance: .network, expectedLength: body.count)),
                    .chunk(Array(body)),
                ].publisher.setFailureType(to: LoadError.self)
            }.eraseToAnyPublisher()
        }
    }

    private let directory = TemporaryDirectory()
    private let origin = Origin()
    private let day = Day(date: "2026-11-21", steps: 9_000)

    /// The tiers of one run of a program.
    private func records(
        limit: Int = 1 << 20, on threads: ThreadPoolScheduler = ThreadPoolScheduler(width: 2)
    ) -> some Source<String, LoadEvent<Day>> {
        let key: @Sendable (String) -> CacheKey = { CacheKey(["day", $0]) }
        let bytes = origin.cached(in: DiskCache(directory: directory.path), by: key, on: threads)
        return
            bytes
            .decoded(upTo: limit, on: threads) { try JSONDecoder().decode(Day.self, from: Data($0)) }
            .coalesced(by: key)
            .cached(in: MemoryCache(costLimit: 1_000), by: key, cost: { _ in 1 })
    }

    private func provenance(_ records: some Source<String, LoadEvent<Day>>) async throws -> Provenance? {
        for try await event in records.events(for: day.date).values {
            if case .final(let value, let provenance) = event {
                #expect(value == day)
                return provenance
            }
        }
        return nil
    }

    @Test("A day's record comes from the origin once, then from memory, and after a restart from disk")
    func tiers() async throws {
        origin.answer(try JSONEncoder().encode(day))
        let first = records()
        #expect(try await provenance(first) == .network)
        #expect(try await provenance(first) == .memory)
        let restarted = records()
        #expect(try await provenance(restarted) == .disk)
        #expect(try await restarted.value(for: day.date) == day)
        #expect(origin.calls == 1)
    }

    @Test("Two who ask at once share one call")
    func coalesced() throws {
        origin.answer(try JSONEncoder().encode(day))
        let threads = ThreadPoolScheduler(width: 1)
        let gate = DispatchSemaphore(value: 0)
        threads.schedule { gate.wait() }
        let records = records(on: threads)
        let recordings = (0..<2).map { _ in RecordingSubscriber<LoadEvent<Day>, LoadError>() }
        for recording in recordings { records.events(for: day.date).subscribe(recording) }
        gate.signal()
        for recording in recordings {
            #expect(recording.waitForCompletion())
            #expect(recording.values.compactMap(\.finalValue) == [day])
        }
        #expect(origin.calls == 1)
    }

    @Test("A stored body that does not decode is discarded and loaded anew; one that has just come is an error")
    func unreadable() async throws {
        DiskCache(directory: directory.path).store(Array("half a rec".utf8), for: CacheKey(["day", day.date]))
        origin.answer(try JSONEncoder().encode(day))
        #expect(try await provenance(records()) == .network)
        #expect(origin.calls == 1)

        origin.answer(Data("no record".utf8))
        do throws(LoadError) {
            _ = try await records().value(for: "2026-11-20")
            Issue.record("a value came of nonsense")
        } catch {
            guard case .value = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(origin.calls == 2)
        #expect(DiskCache(directory: directory.path).entry(for: CacheKey(["day", "2026-11-20"])) == nil)
    }

    @Test("A body beyond the limit is an error, and one of just so many bytes is none")
    func limit() async throws {
        origin.answer(try JSONEncoder().encode(day))
        let size = try JSONEncoder().encode(day).count
        for limit in [10, size - 1] {
            await #expect(throws: LoadError.self) { try await records(limit: limit).value(for: day.date) }
        }
        #expect(try await records(limit: size).value(for: day.date) == day)
    }
}

import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Bodies that cannot be read while they are written")
struct UnreadableBodyTests {
    @Test("Nothing of a shared body is kept when the last who reads it has begun a load of its own")
    func lastReader() throws {
        let (directory, origin) = (TemporaryDirectory(), HandDrivenOrigin(chunks: 64))
        let cache = DiskCache(
            directory: directory.path, terms: StoreTerms(timeLimit: .seconds(600), leaseTime: nil))
        let source = origin.cached(in: cache, on: ThreadPoolScheduler(width: 4)).coalesced(keeping: 1)
        func join(_ demand: Subscribers.Demand) -> RecordingSubscriber<DataEvent, LoadError> {
            let recorder = RecordingSubscriber<DataEvent, LoadError>(initialDemand: demand)
            source.events(for: ImageRequest("http://localhost/a.jpg")).subscribe(recorder)
            return recorder
        }
        weak var kept: Counter?
        do {
            let (first, held) = (join(.unlimited), Counter())
            kept = held
            var response = DataResponse(provenance: .network, expectedLength: origin.body.count)
            response.discard = { Just(held.value > 0).eraseToAnyPublisher() }
            origin.send(.response(response))
            #expect(origin.send(0..<40))
            let unfinished = try #require(directory.names.first { $0.hasPrefix(TemporaryFile.prefix) })
            let file = try FileDescriptor(opening: "\(directory.path)/\(unfinished)", O_RDWR)
            try file.write([UInt8](repeating: 9, count: 100), at: 300_000)
            let last = join(.max(1))
            first.cancel()
            last.request(.unlimited)
            #expect(comesTrue { origin.loads == 2 })
            last.cancel()
        }
        #expect(comesTrue { kept == nil })
        withExtendedLifetime(source) {}
    }
}

import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Previews that nobody waits for")
struct UnwantedPreviewTests {
    /// A pipeline that counts the degraded images that its decoder makes, and keeps final images behind coalescing.
    private final class Counting: Sendable {
        let made = Mutex(0)
        let cache = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let body = PassthroughSubject<DataEvent, LoadError>()

        func source() -> some Source<ImageRequest, ImageEvent> {
            let bytes = AnySource<ImageRequest, DataEvent> { [body] _ in body.eraseToAnyPublisher() }
            let decoded = bytes.decoded(on: ImmediateScheduler.shared)
            let counted = AnySource<ImageRequest, ImageEvent> { request in
                decoded.events(for: request).handleEvents(receiveOutput: { event in
                    if case .degraded = event { self.made.withLock { $0 += 1 } }
                }).eraseToAnyPublisher()
            }
            return counted.cached(in: cache).coalesced()
        }

        func send(_ bytes: some Collection<UInt8>) {
            body.send(.chunk(Array(bytes)))
        }
    }

    private typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>
    private let request = ImageRequest("http://localhost/a.jpg", as: .fit(PixelSize(width: 64, height: 64)))

    private func photo() throws -> [UInt8] {
        try Pictures.textured(320, 240).encoded(as: .jpeg(quality: 85, progressive: true))
    }

    @Test("None is made for who requests nothing or one event, and the final image is in the cache all the same")
    func unwanted() throws {
        let photo = try photo()
        for demand in [Subscribers.Demand.none, .max(1)] {
            let counting = Counting()
            let recorder = Recorder(initialDemand: demand)
            counting.source().events(for: request).subscribe(recorder)
            counting.body.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
            for start in stride(from: 0, to: photo.count, by: 500) { counting.send(photo[start...].prefix(500)) }
            counting.body.send(completion: .finished)
            // Progress comes before the first picture can: that is the one event.
            #expect(counting.made.withLock { $0 } == 0)
            #expect(counting.cache.value(forKey: request.imageKey) != nil)
            #expect(recorder.values.count == demand.max)
            recorder.request(.unlimited)
            #expect(recorder.values.last?.finalValue != nil && recorder.isFinished)
        }
    }

    @Test("Who joins a load that began without previews gets them from then on; who wants none gets none")
    func joining() throws {
        let photo = try photo()
        let counting = Counting()
        let source = counting.source()
        var plainRequest = request
        plainRequest.previews = false
        let (plain, late) = (Recorder(), Recorder())
        source.events(for: plainRequest).subscribe(plain)
        counting.body.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        let half = photo.count / 2
        for start in stride(from: 0, to: half, by: 500) { counting.send(photo[start..<min(start + 500, half)]) }
        #expect(counting.made.withLock { $0 } == 0)
        source.events(for: request).subscribe(late)
        for start in stride(from: half, to: photo.count, by: 500) { counting.send(photo[start...].prefix(500)) }
        counting.body.send(completion: .finished)
        let made = counting.made.withLock { $0 }
        #expect(made > 0)
        func degraded(_ recorder: Recorder) -> Int {
            recorder.values.count { if case .degraded = $0 { true } else { false } }
        }
        #expect(degraded(late) == made && degraded(plain) == 0)
        #expect(plain.provenance == .network && late.provenance == .network)
    }
}

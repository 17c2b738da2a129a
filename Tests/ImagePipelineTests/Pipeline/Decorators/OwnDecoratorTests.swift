import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// Keeps final images for as long as it lives, as many as there are.
final class RememberingSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    private let upstream: Upstream
    private let images = Mutex<[CacheKey: Image]>([:])

    init(_ upstream: Upstream) { self.upstream = upstream }

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        let key = request.imageKey
        return Deferred { [self] in
            if let image = images.withLock({ $0[key] }) {
                return Just(ImageEvent.final(image, .memory)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            return upstream.events(for: request)
                .handleEvents(receiveOutput: { [self] event in
                    if case .final(let image, _) = event { images.withLock { $0[key] = image } }
                })
                .eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    func remembered() -> some Source<ImageRequest, ImageEvent> { RememberingSource(self) }
}

@Suite("A decorator that a user has written")
struct OwnDecoratorTests {
    @Test("It stands in the place of one of ours, by public interface alone")
    func standsInPlace() throws {
        let file = try Pictures.gradient(20, 10).encoded(as: .png)
        let loads = Atomic(0)
        let bytes = AnySource<ImageRequest, DataEvent> { _ in
            loads.add(1, ordering: .relaxed)
            return [.response(DataResponse(provenance: .network)), .chunk(file)].publisher
                .setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let loader = ImageLoader(bytes.decoded(on: ImmediateScheduler.shared).coalesced().remembered())
        for (rendition, provenance, count) in [
            (Rendition.original, Provenance.network, 1), (.original, .memory, 1),
            (.fit(PixelSize(width: 10, height: 10)), .network, 2), (.fit(PixelSize(width: 10, height: 10)), .memory, 2),
        ] {
            let load = RecordingSubscriber<ImageEvent, LoadError>()
            loader.events(for: ImageRequest("https://example.com/a.png", as: rendition)).subscribe(load)
            #expect(load.waitForCompletion())
            #expect(load.provenance == provenance)
            #expect(loads.load(ordering: .relaxed) == count)
        }
    }
}

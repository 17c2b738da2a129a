import ImagePipeline
import Streams

// The README's Swift, compiled: ReadmeTests compares line by line.

func loadOne(into directory: String) async throws {
    let pipeline = ImageLoader.standard(disk: DiskCache(directory: directory))
    let request = ImageRequest("https://example.com/photo.jpg", as: .fit(PixelSize(width: 256, height: 256)))
    let image = try await pipeline.image(for: request)
    print(image.size)
}

func watchOne(_ pipeline: ImageLoader, _ request: ImageRequest) -> AnyCancellable {
    let load = pipeline.events(for: request).sink(
        receiveCompletion: { completion in
            if case .failure(let error) = completion { print("failed: \(error)") }
        },
        receiveValue: { event in
            switch event {
            case .progress(let progress): print("\(progress.received) bytes")
            case .degraded(let image, quality: let quality): print("\(image.size), \(quality) of what is to come")
            case .final(let image, let provenance): print("\(image.size) from \(provenance)")
            }
        })
    return load
}

func avatar() -> ImageRequest {
    let square = Rendition.fill(PixelSize(width: 96, height: 96))
    let avatar = ImageRequest("https://example.com/photo.jpg", as: square.processed(by: .circle))
    return avatar
}

@MainActor
final class PhotoView {
    var image: Image?
    var animates = false
}

@MainActor
func reuse(_ pipeline: ImageLoader, _ first: ImageRequest, _ second: ImageRequest, _ view: PhotoView, _ grey: Image) {
    let slot = ImageSlot(source: pipeline, placeholder: grey) { content in
        view.image = content.image
        view.animates = !content.cameAtOnce
    }
    slot.load(first)
    slot.load(second)  // `first` is cancelled; nothing of it is ever shown
}

final class Camera: Sendable {
    struct Shot: Sendable { func cancel() {} }
    func shoot(_ callback: @escaping @Sendable (Image) -> Void) -> Shot { Shot() }
}

func photos(of camera: Camera) -> AnyPublisher<Image, Never> {
    AnyPublisher.create(.latest) { emitter in
        let shot = camera.shoot { image in emitter.onNext(image) }  // as often as it likes, from any thread
        return Disposable { shot.cancel() }  // exactly once: on cancel, failure or completion
    }
}

@MainActor
func sixSteps(
    _ requests: PassthroughSubject<ImageRequest, Never>, _ directory: String, _ view: PhotoView
) -> AnyCancellable {
    let workers = ThreadPoolScheduler(width: 4)
    let memory = MemoryCache<CacheKey, Image>(costLimit: 64 << 20)
    let images = HTTPSource(CurlTransport())  // network: demand reaches the socket, a cancel closes it
        .httpCached(in: DiskCache(directory: directory), on: workers)  // disk: as fresh as HTTP says
        .decoded(on: workers)  // degraded images while the bytes arrive, then the final one
        .coalesced()  // one load for all who want the same image at once
        .cached(in: memory)  // memory: a hit is there at once
    let cell =
        requests  // what the cell is to show
        .images(from: images)  // a new request cancels the load of the one before
        .sink(on: MainActor.shared) { view.image = $0.image }
    return cell
}

@MainActor
func threeLines(_ pipeline: ImageLoader, _ request: ImageRequest, _ slot: ImageSlot, _ view: PhotoView) async throws {
    let image = try await pipeline.image(for: request)
    for try await image in pipeline.images(for: request) { view.image = image }
    slot.load(request)
    view.image = image
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Delivers a picture of yours in place of a failure.
    func replacingFailures(with image: Image) -> some Source<ImageRequest, ImageEvent> {
        AnySource { request in
            events(for: request).catch { _ in Just(.final(image, .data)).setFailureType(to: LoadError.self) }
                .eraseToAnyPublisher()
        }
    }
}

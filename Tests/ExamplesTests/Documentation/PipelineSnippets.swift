import Dispatch
import ImagePipeline
import Streams

// The Swift of ImagePipeline's articles, compiled: DocumentTests compares line by line.

private let box = PixelSize(width: 256, height: 256)
private let wide = PixelSize(width: 1200, height: 300)
@Sendable private func show(_ image: Image) {}
@Sendable private func write(_ image: Image) {}

func newest(_ pipeline: ImageLoader) -> AnyCancellable {
    let requests = PassthroughSubject<ImageRequest, Never>()
    let load = requests.images(from: pipeline)
        .compactMap(\.image)
        .receive(on: DispatchQueue.main)
        .sink { show($0) }
    requests.send(ImageRequest("https://example.com/1.jpg", as: .fit(box)))
    requests.send(ImageRequest("https://example.com/2.jpg", as: .fit(box)))  // the first one is cancelled
    return load
}

func fronts(_ pipeline: ImageLoader, _ request: ImageRequest) async throws {
    let image = try await pipeline.image(for: request, within: .seconds(10))  // or it is cancelled, and says so
    show(image)

    for try await image in pipeline.images(for: request) { show(image) }  // degraded ones, then the final one

    let load = pipeline.load(request)  // a handle
    load.priority = .high  // where it waits, it moves up
    print(load.progress?.received ?? 0)
    show(try await load.image)
    load.cancel()  // or release it
}

func blocking(_ pipeline: ImageLoader, _ request: ImageRequest) -> AnyCancellable {
    let export = pipeline.events(for: request).finalImage
        .receive(on: DispatchQueue(label: "Export"))
        .sink(receiveCompletion: { _ in }, receiveValue: { write($0) })
    return export
}

func prefetch(_ pipeline: ImageLoader, _ photos: [String]) -> AnyCancellable {
    let topmost = CurrentValueSubject<Int, Never>(0)  // the first row that is visible; it changes as the user scrolls
    let prefetching = topmost.removeDuplicates()
        .map { first in photos.dropFirst(first + 10).prefix(20).map { ImageRequest($0, as: .fit(box)) } }
        .prefetch(with: pipeline.prefetcher())
    return prefetching
}

func delivery() -> ImageRequest {
    var request = ImageRequest("https://example.com/7.jpg", as: .fit(box))
    request.delivery = .fast  // the first image that shows about a quarter of the picture, or the final one
    request.preview = ImageRequest("https://example.com/7-small.jpg", as: .fit(box))  // shown meanwhile
    return request
}

func version(_ modified: Int) -> ImageRequest {
    var request = ImageRequest("/photos/today.jpg", as: .fit(box))
    request.version = "\(modified)"
    return request
}

func policies(_ request: inout ImageRequest) {
    request.caching = .reload  // anew, and kept in place of what is there
    request.caching = .cacheOnly  // LoadError.notCached on a miss
    request.caching.disk = .noStore  // nothing on disk; memory as ever
}

func signed() -> ImageRequest {
    var photo = ImageRequest("https://bucket.example/photos/7.jpg?expires=1763800000&signature=5fa3")
    photo.identity = "photos/7.jpg"
    return photo
}

func sizes(_ file: [UInt8]) throws {
    let thumbnail = try Image.decode(file, options: DecodeOptions(as: .fit(box)))
    let banner = try Image.decode(
        file,
        options: DecodeOptions(as: Rendition(targetSize: wide, contentMode: .fill(gravity: .top), filter: .mitchell)))
    show(thumbnail)
    show(banner)
}

func limited(_ file: [UInt8]) {
    let limits = DecodeLimits(pixels: 50_000_000, workingBytes: 32 << 20, time: .seconds(2))
    do throws(DecodeError) {
        show(try Image.decode(file, options: DecodeOptions(as: .fit(box), limits: limits)))
    } catch .limitExceeded(let limit, let value, let allowed, _) {
        print("\(limit.rawValue): \(value) of \(allowed)")
    } catch .truncated(let location) {
        print("ends at \(location)")
    } catch {
        print("\(error)")
    }
}

func caches(_ directory: String) -> ImageLoader {
    let disk = DiskCache(
        directory: directory, limits: DiskCache.Limits(totalSize: 1 << 30, age: 7 * 86_400))
    let pipeline = ImageLoader.standard(disk: disk, memory: MemoryCache(costLimit: 64 << 20))
    return pipeline
}

func filesOnly() -> ImageLoader {
    let workers = ThreadPoolScheduler(width: 2)
    let files = ImageLoader(
        FileSource()
            .decoded(limits: .safe, previews: false, on: workers)
            .processed(on: workers)
            .coalesced())
    return files
}

struct Assets: Sendable {
    func bytes(of name: String) -> [UInt8]? { nil }
}

struct AssetSource: Source {
    let assets: Assets

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        guard case .file(let name) = request.resource, let bytes = assets.bytes(of: name) else {
            return Fail(error: .unsupported("no such asset")).eraseToAnyPublisher()
        }
        let response = DataResponse(provenance: .data, expectedLength: bytes.count)
        return [.response(response), .chunk(bytes)].publisher
            .setFailureType(to: LoadError.self).eraseToAnyPublisher()
    }
}

struct Mirror: ImageProcessor {
    let identifier = "com.example.mirror"

    func process(_ image: Image) throws(ProcessingError) -> Image {
        let pixels = image.format.bytesPerPixel
        var bytes: [UInt8] = []
        bytes.reserveCapacity(image.width * image.height * pixels)
        for y in 0..<image.height {
            for x in (0..<image.width).reversed() {
                let start = y * image.bytesPerRow + x * pixels
                bytes += image.bytes[start..<start + pixels]
            }
        }
        let mirrored = Image(
            size: image.size, format: image.format, bytes: bytes, iccProfile: image.iccProfile,
            metadata: image.metadata)
        guard let mirrored else { throw ProcessingError(processor: identifier, reason: "no picture") }
        return mirrored
    }
}

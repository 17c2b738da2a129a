import ImagePipeline
import Streams

/// The overhead of each decorator, on loads of which nothing else costs anything.
enum Overheads {
    private static let request = ImageRequest("http://localhost/a.jpg", as: .fit(PixelSize(width: 64, height: 64)))

    static func rows() throws -> [Row] {
        guard let image = Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [7]) else { return [] }
        let png = try image.encoded(as: .png)
        let images = AnySource<ImageRequest, ImageEvent> { _ in
            Just(.final(image, .network)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let bytes = AnySource<ImageRequest, DataEvent> { _ in
            [DataEvent.response(DataResponse(provenance: .network, expectedLength: png.count)), .chunk(png)]
                .publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let nothing = MemoryCache<CacheKey, Image>(costLimit: 0)
        let cached = images.cached(in: memory)
        load(cached)
        let name = "one decorator"
        return Measure.overhead(name, "a source of images alone") { load(images) }
            + Measure.overhead(name, "coalesced") { load(images.shared) }
            + Measure.overhead(name, "cached in memory, cold") { load(images.cached(in: nothing)) }
            + Measure.overhead(name, "cached in memory, warm") { load(cached) }
            + Measure.overhead(name, "processed by nothing") { load(images.processed(on: ImmediateScheduler.shared)) }
            + Measure.overhead(name, "a source of bytes alone") { load(bytes) }
            + Measure.overhead(name, "bytes coalesced") { load(bytes.coalesced()) }
            + Measure.overhead(name, "decoded, a PNG of one pixel", count: 2_000) {
                load(bytes.decoded(on: ImmediateScheduler.shared))
            }
            + Measure.overhead(name, "that PNG's decode alone", count: 2_000) {
                _ = try? Image.decode(png, options: DecodeOptions(as: request.rendition))
            }
    }

    private static func load<Event>(_ source: some Source<ImageRequest, Event>) {
        _ = source.events(for: request).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
}

extension AnySource<ImageRequest, ImageEvent> {
    fileprivate var shared: some Source<ImageRequest, ImageEvent> { coalesced() }
}

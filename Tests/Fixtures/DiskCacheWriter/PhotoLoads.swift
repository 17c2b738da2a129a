import CLibrary
import Dispatch
import ImagePipeline
import Synchronization

/// Loads of photos through the standard pipeline, as thumbnails that end their transfer early, as whole pictures that continue it, and as
/// processed images that are kept.
struct PhotoLoads: Sendable {
    private static let sides = [20, 200]

    private let pipeline: ImageLoader
    private let urls: [String]
    /// The digests of the pixels that every load has to show, by URL and side.
    private let expected: [String: [Int: String]]

    /// - Parameter directory: The directory that the test has put photos and digests in.
    init(in directory: String, cache: DiskCache) {
        var (photos, expected) = ([String: [UInt8]](), [String: [Int: String]]())
        while let photo = Self.read("\(directory)/\(photos.count).jpg") {
            let url = "http://photos.invalid/\(photos.count).jpg"
            for side in Self.sides {
                let digest = Self.read("\(directory)/\(photos.count)-\(side)") ?? []
                expected[url, default: [:]][side] = String(decoding: digest, as: UTF8.self)
            }
            photos[url] = photo
        }
        self.expected = expected
        urls = photos.keys.sorted()
        // Nothing stays in memory: every load is one of the disk.
        pipeline = .standard(
            transport: PhotoTransport(photos: photos), retries: nil, disk: cache, placeholders: true,
            memory: MemoryCache(costLimit: 0))
    }

    /// Loads one photo at random.
    ///
    /// - Returns: Nil if it came and is what it has to be, or else what is wrong.
    func loadOne() -> String? {
        guard let url = urls.randomElement(), let side = Self.sides.randomElement() else { return "no photos" }
        var request = ImageRequest(url, as: .fit(PixelSize(width: side, height: side)), previews: false)
        if Int.random(in: 0..<3) == 0 { request.storedForm = .png() }
        if Int.random(in: 0..<10) == 0 { request.caching = .reload }
        let result = Mutex<String?>("no image")
        let isOver = DispatchSemaphore(value: 0)
        let load = pipeline.events(for: request).sink(
            receiveCompletion: { completion in
                if case .failure(let error) = completion { result.withLock { $0 = "\(error)" } }
                isOver.signal()
            },
            receiveValue: { event in
                guard let image = event.finalValue else { return }
                let isRight = CacheKey(parts: [image.bytes]).digest == expected[url]?[side]
                result.withLock { $0 = isRight ? nil : "\(url) at \(side) is not what it was" }
            })
        isOver.wait()
        load.cancel()
        return result.withLock { $0 }
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}

import ImagePipeline
import Streams

/// The pipeline of this program.
struct Loader: Sendable {
    let pipeline: ImageLoader

    /// - Parameter cache: where originals are kept; `nil`: nowhere.
    init(cache: String?) {
        pipeline = ImageLoader.standard(disk: cache.map { DiskCache(directory: $0) })
    }

    /// Loads a URL or a path. Only the final image is written, so that degraded ones are not made.
    func events(for input: String, in box: PixelSize) -> AnyPublisher<ImageEvent, LoadError> {
        pipeline.events(for: ImageRequest(input, as: .fit(box), previews: false))
    }
}

import ImagePipeline
import PhotoGenerator
import Streams

/// A post of the feed.
struct Post: Sendable, Hashable {
    let id: Int
    let photoCount: Int
}

/// The feed: the posts of a tab, the photos of a post. Every failure is an error of its caller's; none is swallowed, and none
/// leaves anybody waiting.
struct Feed: Sendable {
    private let server: String
    private let images: any Source<ImageRequest, ImageEvent>
    private let texts: any Source<ImageRequest, LoadEvent<String>>
    /// A small one: what counts here is what is sent.
    private static let tile = Rendition.fit(PixelSize(width: 64, height: 64))

    init(server: String, images: some Source<ImageRequest, ImageEvent>) {
        self.server = server
        self.images = images
        texts = HTTPSource(CurlTransport()).decoded(upTo: 1 << 20, on: ThreadPoolScheduler(width: 2)) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The posts of a tab, in the server's order.
    func posts(_ tab: String) async throws(LoadError) -> [Post] {
        let lines = try await texts.value(for: ImageRequest("\(server)/tabs/\(tab)"))
        return lines.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? Post(id: numbers[0], photoCount: numbers[1]) : nil
        }
    }

    /// Photos of posts, all at once, each in the place that it was asked for in.
    func photos(_ places: [(post: Post, index: Int)]) async -> [Result<Image, LoadError>] {
        await withTaskGroup(of: (Int, Result<Image, LoadError>).self) { group in
            for (order, place) in places.enumerated() {
                group.addTask { (order, await photo(place.index, of: place.post)) }
            }
            var photos = [Result<Image, LoadError>](repeating: .failure(.cancelled), count: places.count)
            for await (order, photo) in group { photos[order] = photo }
            return photos
        }
    }

    /// The URL is resolved first, then the image is loaded.
    private func photo(_ index: Int, of post: Post) async -> Result<Image, LoadError> {
        do throws(LoadError) {
            let url = try await texts.value(for: ImageRequest("\(server)/urls/\(post.id)/\(index)"))
            return .success(try await images.image(for: ImageRequest(url, as: Self.tile)))
        } catch {
            return .failure(error)
        }
    }
}

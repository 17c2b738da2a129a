import ImagePipeline
import Streams

/// The photos of a folder, and the loader of their tiles.
final class Gallery: Sendable {
    /// The list that the page shows, and the number of times that it has changed.
    struct List: Sendable {
        let photos: FetchResult
        let revision: Int
        /// The event that tells the page of it.
        let event: String
    }

    private let loader: ImageLoader
    private let metrics = LoadMetrics()
    private let lists: CurrentValueSubject<List, Never>
    private let changes: AnyCancellable
    private let encoders = ThreadPoolScheduler(width: 2, name: "Encode")
    private let clock = ThreadPoolScheduler(width: 1, name: "Counters")

    /// Lists the photos, the newest first, and follows what happens to them.
    init(folder: String) throws(LibraryError) {
        loader = .standard(memory: MemoryCache(costLimit: 64 << 20), metrics: metrics)
        let library = try PhotoLibrary(folders: [folder])
        let photos = library.fetch(PhotoQuery(sortedBy: .modified))
        let lists = CurrentValueSubject<List, Never>(List(photos: photos, revision: 0, event: ""))
        self.lists = lists
        changes = library.changes(of: photos).enumerated().sink { revision, changes in
            let event = changes.json(revision: revision + 1)
            lists.send(List(photos: changes.after, revision: revision + 1, event: event))
        }
    }

    /// The photos, as they are now.
    var list: List { lists.value }

    /// Delivers the parts of a tile's answer: degraded pictures, the final one, and the way that it came.
    ///
    /// A subscriber that asks for one part at a time gets the newest degraded picture, and none of those that it was too slow for.
    func tile(of photo: PhotoAsset, side: Int) -> AnyPublisher<[UInt8], Never> {
        let trace = LoadTrace()
        var request = photo.request(as: .fill(PixelSize(width: side, height: side)))
        request.trace = trace
        return loader.events(for: request)
            .receive(on: encoders)
            .compactMap { TileFrame($0) }
            .catch { Just(TileFrame($0)) }
            .append(Deferred { Just(TileFrame(.trace, Array(trace.json.utf8))) })
            .map(\.bytes)
            .eraseToAnyPublisher()
    }

    /// Delivers the counts four times a second where they are others, and every change of the list.
    var events: AnyPublisher<[UInt8], Never> {
        let counts = Publishers.Timer(every: .milliseconds(250), on: clock)
            .map { [metrics] _ in metrics.current.json }
            .removeDuplicates()
            .map { "event: counts\ndata: \($0)\n\n" }
        let lists = lists.dropFirst().map { "event: list\ndata: \($0.event)\n\n" }
        return counts.merge(with: lists).map { Array($0.utf8) }.eraseToAnyPublisher()
    }
}

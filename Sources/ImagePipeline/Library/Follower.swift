import Streams
import Synchronization

/// The listing that a subscriber has been told of, and no more: a listing that is over is not kept. The library is, for as long
/// as somebody wants to hear of its changes.
final class Follower: Sendable {
    let watch: Disposable
    private let library: PhotoLibrary
    private let result: Mutex<FetchResult>

    init(_ result: FetchResult, of library: PhotoLibrary, watch: Disposable) {
        self.library = library
        self.result = Mutex(result)
        self.watch = watch
    }

    func changes(to listing: Listing) -> FetchChanges? {
        let before = result.withLock { $0 }
        guard listing !== before.listing else { return nil }
        let after = FetchResult(listing, before.query, after: before)
        result.withLock { $0 = after }
        let changes = FetchChanges(from: before, to: after)
        return changes.isEmpty ? nil : changes
    }
}

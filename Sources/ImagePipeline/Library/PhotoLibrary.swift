import Dispatch
import Files
import Streams
import Synchronization

/// Folders of photos, of any number: listed without being opened, sorted and chosen by queries, watched for changes.
///
///     let library = try PhotoLibrary(folders: ["/photos"], index: "/cache/photos.index")
///     let newest = library.fetch(PhotoQuery(sortedBy: .modified))
///     slot.load(newest[7].request(as: .fill(tile)))
///
/// A photo takes about 35 bytes of memory and its name; a change on disk costs a page of some hundred photos, however many there are.
/// Photos are regular files with certain name endings; what begins with a dot, and links, are passed
/// over. Names that are not UTF-8 are, too.
///
/// With an index, folders in which no name has come or gone since are taken from it without a look at their files. A file
/// that was changed in place meanwhile is found by ``rescan()``, which ``changes(of:)`` begins with.
public final class PhotoLibrary: Sendable {
    /// The endings of names that photos have by default.
    public static let standardExtensions = ["jpg", "jpeg", "png"]

    private let scan: FolderScan
    private let index: String?
    /// Everything that makes a new listing runs here, one at a time.
    private let queue = DispatchQueue(label: "ImagePipeline.PhotoLibrary", qos: .utility)
    private let listings: CurrentValueSubject<Listing, Never>
    private let watching = Mutex(Watching())

    private struct Watching {
        var subscribers = 0
        var watch: FolderWatch?
    }

    /// Lists the photos in folders, which blocks: for 60,000 about 0.2 seconds, or 0.02 with an index.
    ///
    /// - Parameters:
    ///   - folders: The paths of the folders.
    ///   - index: The path of a file that keeps the listing and the facts that have been read; nil for none. One that is
    ///     damaged, or another machine's, is replaced.
    ///   - includesSubfolders: A Boolean value that determines whether folders in folders are looked into.
    ///   - extensions: The endings of the names of photos, without the dot; upper or lower case.
    /// - Throws: ``LibraryError/folder(path:reason:)`` for a folder that cannot be read. Subfolders that cannot are passed over.
    public convenience init(
        folders: [String], index: String? = nil, includesSubfolders: Bool = true,
        extensions: [String] = PhotoLibrary.standardExtensions
    ) throws(LibraryError) {
        try self.init(
            FolderScan(
                roots: folders, includesSubfolders: includesSubfolders,
                extensions: extensions.map { Array($0.lowercased().utf8) }),
            index: index)
    }

    init(_ scan: FolderScan, index: String? = nil) throws(LibraryError) {
        self.scan = scan
        self.index = index
        let known = index.flatMap(LibraryIndex.read)
        // An index of another choice tells nothing of the files that were passed over then.
        let isOfChoice = known?.choice == scan.choice
        let listing = try scan.listing(since: known?.listing, trusting: isOfChoice)
        if let known { listing.adoptFacts(of: known.listing) }
        listings = CurrentValueSubject(listing)
        if known?.listing.folders != listing.folders || !isOfChoice { try? saveIndex() }
    }

    /// Returns the photos that match a query, as the library knows them now.
    ///
    /// Takes a few milliseconds for 60,000 photos. Sorted by date of capture it blocks until every photo's header has been
    /// read once; ``saveIndex()`` keeps what was found.
    ///
    /// - Parameter query: The choice of photos, and their order.
    public func fetch(_ query: PhotoQuery = PhotoQuery()) -> FetchResult {
        FetchResult(listings.value, query)
    }

    /// Delivers the differences between a result and the folders' content, and between each state and the next.
    ///
    ///     library.changes(of: result).receive(on: DispatchQueue.main).sink(on: MainActor.shared) { grid.apply($0) }
    ///
    /// Each subscriber gets its own sequence, in which every ``FetchChanges/before`` is the ``FetchChanges/after`` of the one
    /// in front, the first being `result`. A subscription keeps the library. While at least one subscribes, folders are watched (on Linux; elsewhere
    /// ``rescan()`` finds what has happened). If the system reports more than it can keep, or a folder comes or goes,
    /// everything is listed anew. A folder that cannot be watched for lack of the system's watches is found changed by
    /// the next such listing. Demand: without any, differences are joined into one.
    /// Thread: the one that subscribes, for what has happened by then; later the library's own.
    ///
    /// - Parameter result: The result that the subscriber shows.
    public func changes(of result: FetchResult) -> AnyPublisher<FetchChanges, Never> {
        let listings = listings
        return Publishers.Using({ [self] in Follower(result, of: self, watch: watch()) }) { follower in
            listings.compactMap { follower.changes(to: $0) }
        } dispose: {
            $0.watch.cancel()
        }.eraseToAnyPublisher()
    }

    /// Looks at every folder and every file, publishes what is different, and saves the index if something is.
    ///
    /// A folder that cannot be read keeps the photos that were listed in it; all others are looked at.
    public func rescan() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                rescanNow()
                continuation.resume()
            }
        }
    }

    /// Writes the index, with the facts read so far. Does nothing in a library without one.
    ///
    /// - Throws: ``LibraryError/index(path:reason:)``.
    public func saveIndex() throws(LibraryError) {
        guard let index else { return }
        do throws(SystemError) {
            try LibraryIndex.write(listings.value, choice: scan.choice, to: index)
        } catch {
            throw .index(path: index, reason: "\(error)")
        }
    }

    // MARK: On the queue

    private func rescanNow() {
        // A folder found just now is watched before it is looked at for good: nothing falls in between.
        repeat {
            guard let listing = try? scan.listing(since: listings.value, keepsUnreadable: true) else { return }
            guard watching.withLock({ $0.watch })?.watch(listing.folders.map(\.path)) == true else {
                return publish(listing)
            }
        } while true
    }

    private func update(_ events: FolderWatch.Events) {
        switch events {
        case .everything:
            rescanNow()
        case .places(let places):
            guard let listing = scan.updating(listings.value, at: places) else { return rescanNow() }
            publish(listing)
        }
    }

    private func publish(_ listing: Listing) {
        let old = listings.value
        guard listing !== old, listing.folders != old.folders || !listing.hasSamePhotos(as: old) else { return }
        listing.adoptFacts(of: old)
        listings.send(listing)
        // Changes that came while somebody watched are kept when the watching ends.
        if watching.withLock({ $0.watch == nil }) { try? saveIndex() }
    }

    // MARK: Watching

    private func watch() -> Disposable {
        let begins = watching.withLock { state in
            state.subscribers += 1
            return state.subscribers == 1
        }
        if begins { queue.async { [weak self] in self?.beginWatching() } }
        return Disposable { [weak self] in self?.endWatching() }
    }

    private func beginWatching() {
        let watch = FolderWatch(on: queue) { [weak self] in self?.update($0) }
        let isWanted = watching.withLock { state in
            if state.subscribers > 0 { state.watch = watch }
            return state.subscribers > 0
        }
        if isWanted { rescanNow() } else { watch.cancel() }
    }

    private func endWatching() {
        let watch = watching.withLock { state -> FolderWatch? in
            state.subscribers -= 1
            return state.subscribers == 0 ? state.watch.take() : nil
        }
        guard let watch else { return }
        watch.cancel()
        queue.async { [weak self] in try? self?.saveIndex() }
    }
}

/// The listing that a subscriber has been told of, and no more: a listing that is over is not kept. The library is, for as long
/// as somebody wants to hear of its changes.
private final class Follower: Sendable {
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

import Dispatch
import Files
import Streams
import Synchronization

/// A library of photos in any number of folders: listed without opening the files, sorted and filtered by queries, watched for changes.
///
///     let library = try PhotoLibrary(folders: ["/photos"], index: "/cache/photos.index")
///     let newest = library.fetch(PhotoQuery(sortedBy: .modified))
///     slot.load(newest[7].request(as: .fill(tile)))
///
/// A photo takes about 45 bytes of memory and its name. A photo that changes on disk has one page of some hundred photos made anew,
/// regardless of the library's size.
/// Photos are regular files with certain name endings; what begins with a dot, and links, are passed
/// over. Names that are not UTF-8 are, too. Of a file that has several names (hard links) each is a photo of its own.
///
/// With an index, folders in which no name has come or gone since are taken from it without a look at their files. A file
/// that was changed in place meanwhile is found by ``rescan()``, which ``changes(of:)`` begins with.
public final class PhotoLibrary: Sendable {
    /// The endings of names that photos have by default.
    public static let standardExtensions = ["jpg", "jpeg", "png"]

    /// The folders that could not be read when they were last looked at, and those that are not watched though somebody subscribes to
    /// ``changes(of:)``; empty where all is well. Delivers the current list on
    /// subscription, and again whenever it changes.
    ///
    /// A folder that is not there or must not be read has no photos, one that the system fails to read keeps those that it had. If a folder is
    /// not watched, for lack of descriptors or of the system's watches, or a root is not there, everything is listed anew at an
    /// interval while somebody subscribes, and the watch is tried again. Thread: the one that subscribes, then the library's own.
    public var faults: AnyPublisher<[LibraryError], Never> { faultLists.removeDuplicates().eraseToAnyPublisher() }

    private let scan: FolderScan
    private let index: String?
    private let rescanInterval: Duration
    /// Everything that makes a new listing runs here, one at a time.
    private let queue = DispatchQueue(label: "ImagePipeline.PhotoLibrary", qos: .utility)
    private let listings: CurrentValueSubject<Listing, Never>
    private let faultLists: CurrentValueSubject<[LibraryError], Never>
    private let watching = Mutex(Watching())
    /// Those who wait for a look that has not begun.
    let rescans = Mutex<[CheckedContinuation<Void, Never>]>([])

    private struct Watching {
        var subscribers = 0
        /// nil while nobody subscribes.
        var backlog: EventBacklog?
        /// nil while nobody subscribes, or the system has no more of them.
        var watch: FolderWatch?
    }

    /// Lists the photos in folders, which blocks: for 60,000 about 0.2 seconds, or 0.02 with an index.
    ///
    /// - Parameters:
    ///   - folders: The paths of the folders.
    ///   - index: The path of a file that keeps the listing and the facts that have been read; nil for none. One that is
    ///     damaged, or another machine's, is replaced. What writers of it that were killed have left beside it is removed.
    ///   - includesSubfolders: A Boolean value that determines whether folders in folders are looked into.
    ///   - extensions: The endings of the names of photos, without the dot; upper or lower case.
    ///   - rescanInterval: The time after which everything is listed anew while somebody follows the changes of folders that are not
    ///     watched; longer where listing takes more than a twentieth of it.
    /// - Throws: ``LibraryError/folder(path:reason:)`` for a folder that cannot be read. Subfolders that cannot are passed over.
    public convenience init(
        folders: [String], index: String? = nil, includesSubfolders: Bool = true,
        extensions: [String] = PhotoLibrary.standardExtensions, rescanInterval: Duration = .seconds(10)
    ) throws(LibraryError) {
        try self.init(
            FolderScan(
                roots: folders, includesSubfolders: includesSubfolders,
                extensions: extensions.map { Array($0.lowercased().utf8) }),
            index: index, rescanInterval: rescanInterval)
    }

    init(_ scan: FolderScan, index: String? = nil, rescanInterval: Duration = .seconds(10)) throws(LibraryError) {
        self.scan = scan
        self.index = index
        self.rescanInterval = rescanInterval
        let known = index.flatMap(LibraryIndex.read)
        // An index of another choice tells nothing of the files that were passed over then.
        let isOfChoice = known?.choice == scan.choice
        let look = scan.look(since: known?.listing, trusting: isOfChoice)
        if let fault = look.rootFault { throw fault }
        let listing = look.listing
        if let known { listing.adoptFacts(of: known.listing) }
        listings = CurrentValueSubject(listing)
        faultLists = CurrentValueSubject(look.faults)
        // One that was written at once after a folder's change would have it listed anew at each start.
        let isWorthMore = (known?.listing.settledFolders ?? 0) < listing.settledFolders
        if known?.listing.folders != listing.folders || !isOfChoice || isWorthMore { try? saveIndex() }
        // The index may lie among a million photos.
        if let index { queue.async { LibraryIndex.sweep(beside: index) } }
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
    /// everything is listed anew every ten seconds). If the system reports more than it can keep, or a folder comes, goes or changes
    /// its mode, everything is listed anew. So it is where a root, or a folder that leads to it, is renamed, deleted or made again: what
    /// counts is the path. What cannot be read or watched is told by ``faults``. Demand: without any, differences are joined into one.
    /// Thread: the one that subscribes, for what has happened by then; later the library's own.
    ///
    /// However much happens, this takes a fifth of that thread's time, unless a change would wait for more than two seconds; and a file
    /// that is being written to is looked at twice a second. The system reports no writing through memory mappings, none under a name of
    /// the file outside of the folders, and nothing that another machine does on a network file system: ``rescan()`` finds it. Of a hard link
    /// that comes and goes at once it does not say which photo it is of: if its name is a photo's, everything is listed anew.
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
    /// One look serves all who wait for one that has not begun. A photo sorted by date of capture whose header could not be read moves to
    /// its place when it can.
    public func rescan() async {
        await withCheckedContinuation { continuation in
            let isFirst = rescans.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            guard isFirst else { return }
            queue.async { [self] in
                let waiting = rescans.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                lookAtEverything()
                for continuation in waiting { continuation.resume() }
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

    private func handle(_ events: FolderEvents) {
        let isClear = !events.isEverything && !events.missed.contains { scan.isPhoto($0.name) }
        if isClear, let listing = scan.updating(listings.value, at: events.places) {
            publish(listing)
        } else {
            lookAtEverything()
        }
    }

    private func lookAtEverything() {
        let clock = ContinuousClock()
        let begun = clock.now
        let look = scan.look(since: listings.value)
        publish(look.listing)
        var faults = look.faults
        if let backlog = watching.withLock({ $0.backlog }) {
            let (hasBegun, unwatched) = watch(look.listing)
            faults += unwatched
            // What happened in a folder before it was watched is found by another look, which others need not wait for.
            if hasBegun { backlog.add(.everything) }
            let isWorthRepeating = look.rootFault != nil || look.isPassing || !unwatched.isEmpty
            backlog.look(after: isWorthRepeating ? max(rescanInterval, (clock.now - begun) * 20) : nil)
        }
        faultLists.send(faults)
    }

    private func publish(_ listing: Listing) {
        let old = listings.value
        guard listing !== old, !listing.isSame(as: old) || old.lacksFacts else { return }
        listing.adoptFacts(of: old)
        listings.send(listing)
        // Changes that came while somebody watched are kept when the watching ends.
        if watching.withLock({ $0.backlog == nil }) { try? saveIndex() }
    }

    // MARK: Watching

    private func watch() -> Disposable {
        let new = watching.withLock { state -> EventBacklog? in
            state.subscribers += 1
            guard state.subscribers == 1 else { return nil }
            state.backlog = EventBacklog(clock: StoreClock(queue)) { [weak self] in self?.handle($0) }
            return state.backlog
        }
        if let new {
            queue.async { [weak self] in
                guard let self else { return }
                // Folders that are known are watched before they are looked at.
                _ = watch(listings.value)
                new.add(.everything)
            }
        }
        return Disposable { [weak self] in self?.endWatching() }
    }

    /// Watches the folders of a listing.
    private func watch(_ listing: Listing) -> (hasBegun: Bool, faults: [LibraryError]) {
        let (backlog, watch) = watching.withLock { ($0.backlog, $0.watch) }
        guard let backlog else { return (false, []) }
        do throws(SystemError) {
            let watch = if let watch { watch } else { try FolderWatch(on: queue) { backlog.add($0) } }
            // The last subscriber may have left.
            watching.withLock { if $0.backlog === backlog { $0.watch = watch } }
            return watch.watch(listing.folders.map(\.path), roots: scan.roots)
        } catch {
            return (false, scan.roots.map { .watch(path: $0, reason: "\(error)") })
        }
    }

    private func endWatching() {
        let (backlog, watch) = watching.withLock { state -> (EventBacklog?, FolderWatch?) in
            state.subscribers -= 1
            return state.subscribers == 0 ? (state.backlog.take(), state.watch.take()) : (nil, nil)
        }
        guard let backlog else { return }
        backlog.cancel()
        watch?.cancel()
        queue.async { [weak self] in try? self?.saveIndex() }
    }
}

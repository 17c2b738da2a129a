import Streams
import Synchronization

/// Loads images before they are needed: those of a window that moves, such as the rows that are about to be scrolled into view.
///
///     let prefetcher = pipeline.prefetcher()
///     prefetcher.window = rows[visible.upperBound..<visible.upperBound + 20].map(request)
///
/// When the window changes, loads that are no longer in it are cancelled, and those that are new wait for their turn, in the window's order.
/// A few are under way at a time, at low priority, and none begins while a load that somebody waits for is under way
/// (``LoadActivity``).
///
/// An image that is wanted while it is being prefetched is not loaded twice: it joins the load, which goes on at the priority of whoever wants it and
/// with degraded images for them. One that waits for its turn is not waited for. A load that has ended, or failed, is not begun again while it stays in the
/// window.
///
/// Releasing the prefetcher cancels what it loads. All members may be used on any thread.
public final class Prefetcher: Cancellable {
    private let state: Mutex<PrefetchState>
    private let start: @Sendable (ImageRequest, @escaping @Sendable () -> Void) -> any Cancellable
    private let activity: LoadActivity?
    private let idles = SingleAssignmentDisposable()

    /// Creates a prefetcher of images, which end in the caches of their source.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from, its caches included.
    ///   - loadsAtOnce: The number of loads that are under way at a time; less than 1 counts as 1.
    ///   - activity: The loads to give way to; nil for none.
    public convenience init(
        of source: some Source<ImageRequest, ImageEvent>, loadsAtOnce: Int = 2, yieldingTo activity: LoadActivity? = nil
    ) {
        self.init(loadsAtOnce: loadsAtOnce, yieldingTo: activity) { request, end in
            source.events(for: request.withoutPreviews)
                .sink(receiveCompletion: { _ in end() }, receiveValue: { _ in })
        }
    }

    /// Creates a prefetcher of bytes, which end in the disk cache of their source, not decoded. Bodies that
    /// the cache has already, and may serve, are not loaded again.
    ///
    /// - Parameters:
    ///   - source: The source that bytes are loaded from, its disk cache included.
    ///   - loadsAtOnce: The number of loads that are under way at a time; less than 1 counts as 1.
    ///   - activity: The loads to give way to; nil for none.
    public convenience init(
        ofBytes source: some Source<ImageRequest, DataEvent>, loadsAtOnce: Int = 2,
        yieldingTo activity: LoadActivity? = nil
    ) {
        self.init(loadsAtOnce: loadsAtOnce, yieldingTo: activity) { request, end in
            source.events(for: request)
                .prefix { event in
                    if case .response(let response) = event { response.provenance == .network } else { true }
                }
                .sink(receiveCompletion: { _ in end() }, receiveValue: { _ in })
        }
    }

    private init(
        loadsAtOnce: Int, yieldingTo activity: LoadActivity?,
        start: @escaping @Sendable (ImageRequest, @escaping @Sendable () -> Void) -> any Cancellable
    ) {
        state = Mutex(PrefetchState(loadsAtOnce: loadsAtOnce))
        self.start = start
        self.activity = activity
        if let activity { idles.set(activity.idles.sink { [weak self] _ in self?.begin() }) }
    }

    deinit { cancel() }

    /// The images to have ready, the most urgent first. Setting it begins and cancels loads by difference.
    public var window: [ImageRequest] {
        get { state.withLock { $0.window } }
        set {
            let left = state.withLock { $0.move(to: newValue) }
            for load in left.loads { load.cancel() }
            begin()
        }
    }

    /// A Boolean value that determines whether no further load begins; those under way go on.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { $0.isPaused = newValue }
            begin()
        }
    }

    /// The number of loads that are under way.
    public var loads: Int { state.withLock { $0.running.count } }

    /// Cancels all loads; none begins any more.
    public func cancel() {
        idles.cancel()
        let left = state.withLock { state in
            state.isOver = true
            return state.move(to: [])
        }
        for load in left.loads { load.cancel() }
    }

    private func begin() {
        guard state.withLock({ $0.startBeginning() }) else { return }
        while let (request, key, load) = state.withLock({ $0.next(isIdle: activity.map { $0.loads == 0 } ?? true) }) {
            load.set(
                start(request) { [weak self] in
                    guard let self else { return }
                    let ended = state.withLock { $0.end(key, load) }
                    withExtendedLifetime(ended) {}
                    begin()
                })
        }
    }
}

extension Publisher where Output == [ImageRequest], Failure == Never {
    /// Has a prefetcher follow windows of requests.
    ///
    ///     let prefetching = scrolling.map { rows(after: $0) }.prefetch(with: pipeline.prefetcher())
    ///
    /// Cancelling leaves the window as it is; the prefetcher is kept for as long as the result is.
    ///
    /// - Parameter prefetcher: The prefetcher, whose window is set to each value.
    public func prefetch(with prefetcher: Prefetcher) -> AnyCancellable {
        let windows = sink { prefetcher.window = $0 }
        // The last window counts when the windows have ended, too.
        return AnyCancellable {
            windows.cancel()
            withExtendedLifetime(prefetcher) {}
        }
    }
}

extension ImageLoader {
    /// The place where a prefetcher puts what it loads.
    public enum PrefetchDestination: Sendable, Hashable {
        /// Decoded, in the memory cache.
        case memory
        /// Undecoded, in the disk cache.
        case disk
    }

    /// Returns a prefetcher that gives way to the loads of this pipeline.
    ///
    /// - Parameters:
    ///   - destination: The place where it puts what it loads. A pipeline of your own that was created without its bytes decodes in any case.
    ///   - loadsAtOnce: The number of loads that are under way at a time.
    public func prefetcher(to destination: PrefetchDestination = .memory, loadsAtOnce: Int = 2) -> Prefetcher {
        if destination == .disk, let bytes {
            return Prefetcher(ofBytes: bytes, loadsAtOnce: loadsAtOnce, yieldingTo: activity)
        }
        return Prefetcher(of: self, loadsAtOnce: loadsAtOnce, yieldingTo: activity)
    }
}

import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Begins a load, and returns a handle by which it is watched, hurried and cancelled.
    ///
    ///     let load = pipeline.load(request)
    ///     load.priority = .high
    ///     let image = try await load.image
    ///
    /// Whoever watches the handle shares its load, as far as the source lets requests share one (``coalesced()``).
    ///
    /// - Parameter request: The image to load. Its priority is the one that the load begins with.
    public func load(_ request: ImageRequest) -> ImageLoad {
        ImageLoad(of: request, from: self)
    }
}

/// A load under way: its progress, its priority, its image.
///
/// The load begins with the handle, and goes on whether anybody watches it or not, until it has its final image or has failed.
/// Degraded images are made only for those who ask for ``events``, and where the first good one is the final one
/// (``ImageDelivery/fast(quality:)``). Releasing the handle, and all who watch it, cancels the load, as ``cancel()`` does.
public final class ImageLoad: Cancellable {
    private struct State: Sendable {
        var progress: LoadProgress?
        var outcome: Outcome?
    }

    private enum Outcome: Sendable {
        case final(Image, Provenance)
        case failure(LoadError)

        var events: AnyPublisher<ImageEvent, LoadError> {
            switch self {
            case .final(let image, let provenance):
                Just(.final(image, provenance)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            case .failure(let error): Fail(error: error).eraseToAnyPublisher()
            }
        }
    }

    /// The request, with the priority that is live.
    public let request: ImageRequest
    private let source: AnySource<ImageRequest, ImageEvent>
    private let watched: Watched
    /// The handle's share of the load, which wants the final image alone.
    private let own: AnyCancellable

    /// The state of the load so far.
    private final class Watched: Sendable {
        let state = Mutex(State())
        let outcomes = ReplaySubject<Outcome, Never>(bufferSize: 1)

        /// The final image, or the failure.
        var end: AnyPublisher<ImageEvent, LoadError> {
            outcomes.first().setFailureType(to: LoadError.self).flatMap { $0.events }.eraseToAnyPublisher()
        }

        /// - Returns: Whether this is the outcome: nothing was before.
        @discardableResult
        func end(_ outcome: Outcome) -> Bool {
            let isFirst = state.withLock { state in
                guard state.outcome == nil else { return false }
                state.outcome = outcome
                return true
            }
            if isFirst { outcomes.send(outcome) }
            return isFirst
        }

        func note(_ event: ImageEvent) {
            switch event {
            case .progress(let progress): state.withLock { $0.progress = progress }
            case .degraded: break
            case .final(let image, let provenance): end(.final(image, provenance))
            }
        }
    }

    fileprivate init(of request: ImageRequest, from source: some Source<ImageRequest, ImageEvent>) {
        var request = request
        if case .fixed(let level) = request.priority { request.priority = .live(LivePriority(level)) }
        self.request = request
        let watched = Watched()
        self.watched = watched
        self.source = AnySource(source)
        own = source.events(for: request.forItsFinal).sink(
            receiveCompletion: { completion in
                switch completion {
                case .failure(let error): watched.end(.failure(error))
                case .finished: watched.end(.failure(.unsupported("the source has finished without a final image")))
                }
            },
            receiveValue: { watched.note($0) })
    }

    /// The place of the load among those that wait; setting it takes effect at once, wherever the load waits.
    public var priority: LoadPriority.Level {
        get { request.priority.level }
        set { if case .live(let priority) = request.priority { priority.level = newValue } }
    }

    /// The number of bytes that have arrived; nil before the first.
    public var progress: LoadProgress? { watched.state.withLock { $0.progress } }

    /// A Boolean value that indicates whether the load has its final image, has failed, or was cancelled.
    public var isOver: Bool { watched.state.withLock { $0.outcome != nil } }

    /// The events of the load: the newest there is, then all that follow. Any number of subscribers share the one load, also when it is over;
    /// each has its own demand. After a cancel of the handle they fail with ``LoadError/cancelled``.
    public var events: AnyPublisher<ImageEvent, LoadError> {
        Deferred { [self] () -> AnyPublisher<ImageEvent, LoadError> in
            if let outcome = watched.state.withLock({ $0.outcome }) { return outcome.events }
            // A share of the load that is taken at its very end may be one of another: the end is the handle's own. Neither operator takes
            // an event before it is requested, so that the share goes on to conflate.
            let share = source.events(for: request.watching).filter { $0.finalValue == nil }
                .catch { _ in Empty<ImageEvent, LoadError>() }
            let events = share.prefix(untilOutputFrom: watched.outcomes).append(watched.end)
            return keeping(events.stage(DeliveryStage(goodEnough: .infinity)))
        }
        .eraseToAnyPublisher()
    }

    /// The final image. Cancelling the task that waits for it leaves the load alone.
    public var image: Image {
        get async throws(LoadError) {
            // That of the handle itself: a share of the load taken now might come too late for it, and be of another one.
            try await AnySource<ImageRequest, ImageEvent> { [self] _ in keeping(watched.end) }.image(for: request)
        }
    }

    /// A subscriber keeps the handle.
    private func keeping(
        _ events: some Publisher<ImageEvent, LoadError>
    ) -> AnyPublisher<ImageEvent, LoadError> {
        events.handleEvents(receiveOutput: { [self] _ in withExtendedLifetime(self) {} }).eraseToAnyPublisher()
    }

    /// Cancels the load; whoever watches it gets ``LoadError/cancelled``. Its transfer is closed unless another load wants the same.
    public func cancel() {
        if watched.end(.failure(.cancelled)) { own.cancel() }
    }

    deinit { cancel() }
}

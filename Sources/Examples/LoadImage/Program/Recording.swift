import ImagePipeline
import Streams
import Synchronization

/// Everything one subscriber saw of one load.
final class Recording: Sendable {
    /// An image that was shown before the final one.
    struct Stage: Sendable {
        let image: Image
        /// The share of the picture's information that had arrived, 0 to 1.
        let quality: Double
    }

    private struct State {
        var degraded: [Stage] = []
        var final: (image: Image, provenance: Provenance)?
        var failure: LoadError?
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var subscription: AnyCancellable?
    }

    private let onEvent: @Sendable (ImageEvent) -> Void
    private let state = Mutex(State())

    /// Subscribes at once.
    ///
    /// - Parameter onEvent: called for each event, on the thread that delivers it.
    init(
        _ events: AnyPublisher<ImageEvent, LoadError>, onEvent: @escaping @Sendable (ImageEvent) -> Void = { _ in }
    ) {
        self.onEvent = onEvent
        let subscription = events.sink(
            receiveCompletion: { [weak self] in self?.end($0) },
            receiveValue: { [weak self] in self?.record($0) })
        state.withLock { $0.subscription = subscription }
    }

    var degraded: [Stage] { state.withLock { $0.degraded } }
    var final: Image? { state.withLock { $0.final?.image } }
    var provenance: Provenance? { state.withLock { $0.final?.provenance } }
    var failure: LoadError? { state.withLock { $0.failure } }

    /// Suspends until the load has finished or failed.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func record(_ event: ImageEvent) {
        onEvent(event)
        state.withLock { state in
            switch event {
            case .degraded(let image, let quality):
                state.degraded.append(Stage(image: image, quality: quality))
            case .final(let image, let provenance): state.final = (image, provenance)
            case .progress: break
            }
        }
    }

    private func end(_ completion: Subscribers.Completion<LoadError>) {
        let waiting = state.withLock { state in
            if case .failure(let failure) = completion { state.failure = failure }
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

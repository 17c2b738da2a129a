import Streams
import Synchronization

/// Feeds a decoder with what arrives and passes on what it makes.
///
/// The lock is never contended: one stream's signals are serial. It is what makes a decoder, which is not Sendable,
/// safe to hold in a subscriber. A decoder runs within it, somebody else's (``FormatDecoder``) too: what it is given, bytes and
/// ``DecodeOptions``, leads nowhere that takes this lock; and a `Mutex` does not take a value back that it has let out.
final class DecodingSubscriber<Context: Scheduler>: Subscriber {
    typealias Input = DataEvent
    typealias Failure = LoadError

    private let emitter: Emitter<ImageEvent, LoadError>
    private let upstream: SingleAssignmentDisposable
    private let previews: Bool
    private let state: Mutex<State>

    private struct State {
        let decoder: ContentDecoder
        var budget: PreviewBudget<Context>
        var progress = ImageEvent.Progress(received: 0)
        var provenance = Provenance.data
        var isDone = false

        /// Whether the image is there, and so many bytes less are a gain. What is left of a transfer may be on its way already, and a
        /// body that comes whole can be kept on disk.
        var canStop: Bool {
            guard decoder.needsNoMoreBytes else { return false }
            guard provenance == .network, let expected = progress.expected else { return true }
            return expected - progress.received > shortRest
        }

        mutating func takePreview() throws(DecodeError) -> DegradedImage? {
            let decoder = decoder
            return try budget.spending { () throws(DecodeError) in try decoder.takePreview() }
        }
    }

    /// Bytes of a transfer that are rather waited for than done without.
    private static var shortRest: Int { 64 << 10 }

    /// Chunks asked for ahead of what is being decoded: the transfer goes on meanwhile, and memory stays bounded.
    private static var window: Subscribers.Demand { .max(4) }

    /// - Parameter scheduler: whose time tells what degraded images cost.
    init(
        options: DecodeOptions, scheduler: Context, emitter: Emitter<ImageEvent, LoadError>,
        upstream: SingleAssignmentDisposable
    ) {
        self.emitter = emitter
        self.upstream = upstream
        previews = options.previews
        state = Mutex(
            State(decoder: ContentDecoder(options: options), budget: PreviewBudget(scheduler: scheduler)))
    }

    func receive(subscription: any Subscription) {
        if upstream.set(subscription) { subscription.request(Self.window) }
    }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        do throws(DecodeError) {
            let events = try state.withLock { (state) throws(DecodeError) in try take(input, into: &state) }
            guard case .final? = events.last else {
                for event in events { emitter.onNext(event) }
                return .max(1)
            }
            // The transfer ends here; nobody takes what has come of it for the whole.
            upstream.cancel()
            for event in events { emitter.onNext(event) }
            emitter.onComplete()
        } catch {
            fail(error)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        switch completion {
        case .failure(let error): emitter.onError(error)
        case .finished:
            do throws(DecodeError) {
                let end = try state.withLock { (state) throws(DecodeError) -> (Image, Provenance)? in
                    state.isDone ? nil : (try state.decoder.finish(), state.provenance)
                }
                guard let (image, provenance) = end else { return }
                emitter.onNext(.final(image, provenance))
                emitter.onComplete()
            } catch {
                fail(error)
            }
        }
    }

    private func take(_ input: DataEvent, into state: inout State) throws(DecodeError) -> [ImageEvent] {
        guard !state.isDone else { return [] }
        switch input {
        case .response(let response):
            state.provenance = response.provenance
            state.progress.expected = response.expectedLength
            state.decoder.announcedBytes = response.expectedLength
            return []
        case .chunk(let bytes):
            try state.decoder.append(bytes)
            state.progress.received += bytes.count
            if state.canStop {
                state.isDone = true
                return [.progress(state.progress), .final(try state.decoder.finish(), state.provenance)]
            }
            // A preview costs time: none is made while nobody waits for an event.
            guard previews, emitter.requested > .none, state.budget.hasRoom,
                let preview = try state.takePreview()
            else { return [.progress(state.progress)] }
            return [.progress(state.progress), .degraded(preview.image, quality: preview.quality)]
        }
    }

    private func fail(_ error: DecodeError) {
        upstream.cancel()
        emitter.onError(.decode(error))
    }
}

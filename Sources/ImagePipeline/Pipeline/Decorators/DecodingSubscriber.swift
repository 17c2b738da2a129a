import Streams

/// Feeds a decoder with what arrives and passes on what it makes.
///
/// Only one stream's serial signals use the decoder: it runs under no lock. It may be somebody else's (``FormatDecoder``), and
/// cancel its own load inside a call, which is the last one then. It is released before the final image or its error is passed on,
/// and after a cancel with this subscriber.
struct DecodingSubscriber<Context: Scheduler>: Subscriber {
    typealias Input = DataEvent
    typealias Failure = LoadError

    private let subscription: LoadSubscription<Image>
    private let upstream: SingleAssignmentDisposable
    private let previews: Bool
    private let interest: PreviewInterest?
    private let makeDecoder: @Sendable () -> ContentDecoder
    private let state: SerialState<State>

    private struct State {
        /// `nil` when the image is there, or an error.
        var decoder: ContentDecoder?
        var budget: PreviewBudget<Context>
        var progress = LoadProgress(received: 0)
        var provenance = Provenance.data
        /// Whether the body is one that another may take the place of.
        var isProvisional = false
        /// The whole image of such a body: the final one, unless another body comes.
        var provisional: Image?
        var contentType: String?
        /// The first bytes of the body, for whoever has to be told that they are no image.
        var beginning: [UInt8] = []

        /// Whether the image is there, and so many bytes less are a gain. What is left of a transfer may be on its way already, and a
        /// body that comes whole can be kept on disk.
        func canStop(_ decoder: ContentDecoder) -> Bool {
            guard decoder.needsNoMoreBytes else { return false }
            guard provenance == .network, let expected = progress.expected else { return true }
            return expected - progress.received > shortRest
        }
    }

    /// Bytes of a transfer that are rather waited for than done without.
    private static var shortRest: Int { 64 << 10 }

    /// Chunks asked for ahead of what is being decoded: the transfer goes on meanwhile, and memory stays bounded.
    private static var window: Subscribers.Demand { .max(4) }

    /// - Parameters:
    ///   - interest: of all who share the load; nil where nobody else does.
    ///   - scheduler: whose time tells what degraded images cost.
    init(
        options: DecodeOptions, interest: PreviewInterest?, scheduler: Context, subscription: LoadSubscription<Image>,
        upstream: SingleAssignmentDisposable
    ) {
        self.subscription = subscription
        self.interest = interest
        self.upstream = upstream
        previews = options.previews
        makeDecoder = { ContentDecoder(options: options) }
        state = SerialState(State(decoder: makeDecoder(), budget: PreviewBudget(scheduler: scheduler)))
    }

    func receive(subscription: any Subscription) {
        if upstream.set(subscription) { subscription.request(Self.window) }
    }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        if case .response = input { beginAnew() }
        return pass { (decoder, state) throws(DecodeError) in try feed(input, to: decoder, &state) } ? .max(1) : .none
    }

    /// A further response brings the body once more from its first byte on.
    private func beginAnew() {
        state.withValue { state in
            guard state.decoder != nil, state.progress.received > 0 else { return }
            state.decoder = makeDecoder()
            state.progress = LoadProgress(received: 0)
            state.beginning = []
            state.provisional = nil
        }
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        switch completion {
        case .failure(let error):
            state.withValue { $0.decoder = nil }
            subscription.send(completion: .failure(error))
        case .finished:
            _ = pass { (decoder, state) throws(DecodeError) in
                if let image = state.provisional { return [.final(image, state.provenance)] }
                return [.final(try decoder.finish(), state.provenance)]
            }
        }
    }

    /// Passes on what the decoder makes of a signal, and releases it with the image or its error.
    ///
    /// - Returns: whether more bytes are wanted.
    private func pass(
        _ decode: (ContentDecoder, inout State) throws(DecodeError) -> [ImageEvent]
    ) -> Bool {
        do throws(DecodeError) {
            let events = try state.withValue { (state) throws(DecodeError) -> [ImageEvent]? in
                guard let decoder = state.decoder.take() else { return nil }
                let events = try decode(decoder, &state)
                if !isEnd(events) { state.decoder = decoder }
                return events
            }
            guard let events else { return false }
            guard isEnd(events) else {
                for event in events { subscription.send(event) }
                return true
            }
            // A transfer may end here that would go on; nobody takes what has come of it for the whole.
            upstream.cancel()
            for event in events { subscription.send(event) }
            subscription.send(completion: .finished)
        } catch {
            upstream.cancel()
            subscription.send(completion: .failure(loadError(error)))
        }
        return false
    }

    /// Says what came in place of an image, where that is known.
    private func loadError(_ error: DecodeError) -> LoadError {
        state.withValue { state in
            let type = state.contentType
            let isOther = type.map { !$0.hasPrefix("image/") && !$0.hasPrefix("application/octet-stream") } ?? false
            guard error == .unknownFormat || state.progress.received == 0, isOther || state.beginning.isEmpty else {
                return .decode(error)
            }
            return .notAnImage(contentType: type, beginning: String(decoding: state.beginning, as: UTF8.self))
        }
    }

    private func isEnd(_ events: [ImageEvent]) -> Bool {
        if case .final? = events.last { true } else { false }
    }

    private func feed(
        _ input: DataEvent, to decoder: ContentDecoder, _ state: inout State
    ) throws(DecodeError) -> [ImageEvent] {
        switch input {
        case .response(let response):
            state.provenance = response.provenance
            state.isProvisional = response.isProvisional
            state.contentType = response.contentType?.lowercased()
            state.progress.expected = response.expectedLength
            decoder.announcedBytes = response.expectedLength
            return []
        case .chunk(let bytes):
            if state.beginning.count < 80 { state.beginning += bytes.prefix(80 - state.beginning.count) }
            try decoder.append(bytes)
            state.progress.received += bytes.count
            let canStop = !subscription.isCancelled && state.canStop(decoder)
            if subscription.isCancelled { return [] }
            let progress = ImageEvent.progress(state.progress)
            if state.isProvisional {
                guard state.progress.received == state.progress.expected else { return [progress] }
                let image = try decoder.finish()
                state.provisional = image
                return previews && interest?.isWanted != false ? [progress, .degraded(image, quality: 1)] : [progress]
            }
            if canStop { return [progress, .final(try decoder.finish(), state.provenance)] }
            // A preview costs time: none is made while nobody waits for one.
            guard previews, subscription.waitsForPreview, interest?.isWanted != false, state.budget.hasRoom,
                let preview = try state.budget.spending({ () throws(DecodeError) in try decoder.takePreview() })
            else { return [progress] }
            return [progress, .degraded(preview.image, quality: preview.quality)]
        }
    }
}

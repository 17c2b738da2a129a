import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Delivers each request's images as it wants them: the first that is good enough (``ImageDelivery/fast(quality:)``), and a lesser
    /// image meanwhile (``ImageRequest/preview``).
    ///
    /// The outermost decorator: caches must not take for final what is final for one requester. A request that asks for neither passes
    /// straight through.
    ///
    /// Demand: each subscriber's. Where there are two loads, they are asked for everything, and what was not requested is conflated to the newest
    /// image. Failure: that of the request itself. Thread: that of whichever load.
    public func delivered() -> some Source<ImageRequest, ImageEvent> {
        AnySource<ImageRequest, ImageEvent> { [self] request in
            var least = Double.infinity
            if case .fast(let quality) = request.delivery { least = quality }
            guard !request.previewRequests.isEmpty else {
                let events = events(for: request)
                return least == .infinity
                    ? events : events.stage(DeliveryStage(goodEnough: least)).eraseToAnyPublisher()
            }
            return ConflatedEvents(previews: request.previews) { [least] member in
                let sink = Subscribers.Sink<ImageEvent, LoadError>(
                    receiveCompletion: { member.send(completion: $0) }, receiveValue: { member.send($0) })
                member.bind(sink)
                images(of: request).stage(DeliveryStage(goodEnough: least)).subscribe(sink)
            }
            .eraseToAnyPublisher()
        }
    }

    /// The events of the request, and the images of its preview among them.
    private func images(of request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        guard let preview = request.preview, request.previews else { return events(for: request) }
        return Deferred {
            let better = BetterImage(ofAtLeast: lesserQuality)
            let own = events(for: request).handleEvents(receiveOutput: { better.note($0) })
            let lesser = Deferred {
                better.isThere ? Empty().eraseToAnyPublisher() : delivered().events(for: preview)
            }
            return own.merge(
                with: lesser.compactMap(lessened).prefix(untilOutputFrom: better.signal).catch { _ in Empty() })
        }
        .eraseToAnyPublisher()
    }
}

/// The best quality of a lesser image.
private let lesserQuality = 0.5

/// An event of the lesser image among those of the request itself.
@Sendable private func lessened(_ event: ImageEvent) -> ImageEvent? {
    switch event {
    case .progress: nil
    case .degraded(let image, let quality): .degraded(image, quality: quality * lesserQuality)
    case .final(let image, _): .degraded(image, quality: lesserQuality)
    }
}

/// A flag that tells when a load has an image as good as one of another origin.
final class BetterImage: Sendable {
    let signal = PassthroughSubject<Void, Never>()
    private let least: Double
    private let mark = Atomic(false)

    /// - Parameter least: The quality from which a degraded image is as good.
    init(ofAtLeast least: Double) {
        self.least = least
    }

    var isThere: Bool { mark.load(ordering: .acquiring) }

    func note(_ event: ImageEvent) {
        switch event {
        case .progress: return
        case .degraded(_, let quality) where quality < least: return
        case .degraded, .final: break
        }
        if !mark.exchange(true, ordering: .acquiringAndReleasing) { signal.send(()) }
    }
}

/// Passes on images each of which is better than the one before, up to one that is good enough.
struct DeliveryStage: ValueStage {
    typealias Input = ImageEvent
    typealias Output = ImageEvent
    typealias UpstreamFailure = LoadError

    static var endsEarly: Bool { true }

    let goodEnough: Double

    func makeState() -> Double { -1 }

    func receive(_ input: ImageEvent, _ best: inout Double) -> Stages.Step<ImageEvent, LoadError> {
        switch input {
        case .progress: return .next(input)
        case .degraded(let image, let quality):
            // One of full quality was whole a moment ago, and may be out of date.
            if quality >= goodEnough, quality < 1 { return .last(.final(image, .preview)) }
            guard quality > best else { return .skip }
            best = quality
            return .next(input)
        case .final: return .last(input)
        }
    }
}

import ImagePipeline

/// A place on a screen that is used again and again, as a cell of a list is: an ``ImageSlot`` and a record of what it has
/// shown.
@MainActor
final class Screen {
    struct Shown: Sendable {
        /// What had been asked for last when this was shown.
        let request: ImageRequest
        let image: Image
        /// Where a final image came from; `nil` for a degraded one.
        let provenance: Provenance?
    }

    private(set) var shown: [Shown] = []
    private let source: any Source<ImageRequest, ImageEvent>
    private var slot: ImageSlot?
    private var request: ImageRequest?
    private var hasEnded = false
    private var waitingForImage: [CheckedContinuation<Void, Never>] = []
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    init(source: some Source<ImageRequest, ImageEvent>) { self.source = source }

    /// Shows this from now on, in place of whatever was shown or is still on its way.
    func show(_ request: ImageRequest) {
        self.request = request
        hasEnded = false
        let slot = slot ?? ImageSlot(source: AnySource(source)) { [weak self] in self?.show($0) }
        self.slot = slot
        slot.load(request)
    }

    /// Suspends until an image of the present request is shown, or its load has failed.
    func firstImage() async {
        guard !hasEnded, shown.last?.request != request else { return }
        await withCheckedContinuation { waitingForImage.append($0) }
    }

    /// Suspends until the final image of the present request is shown, or its load has failed.
    func ended() async {
        guard !hasEnded else { return }
        await withCheckedContinuation { waitingForEnd.append($0) }
    }

    private func show(_ content: ImageSlot.Content) {
        guard let request else { return }
        switch (content.state, content.image) {
        case (.degraded, let image?):
            shown.append(Shown(request: request, image: image, provenance: nil))
        case (.final(let provenance), let image?):
            shown.append(Shown(request: request, image: image, provenance: provenance))
        case (.failed, _): break
        default: return
        }
        hasEnded = content.isOver
        let ready = waitingForImage + (hasEnded ? waitingForEnd : [])
        waitingForImage = []
        if hasEnded { waitingForEnd = [] }
        for continuation in ready { continuation.resume() }
    }
}

import ImagePipeline
import PhotoGenerator

/// A view with an image that is set by URL: `view.setImage(url)`.
@MainActor
final class PhotoView {
    /// The images shown since the last one was set: each photo's number, read from its pixels, and why it was there.
    private(set) var shown: [(number: Int?, state: ImageSlot.State)] = []

    private let shape: PixelSize
    private let source: ImageLoader
    private let failureImage: Image?
    private var ended: CheckedContinuation<Void, Never>?
    private lazy var slot = ImageSlot(source: source, failureImage: failureImage) { [weak self] content in
        self?.show(content)
    }

    /// - Parameters:
    ///   - source: Where images come from.
    ///   - failureImage: The image to show in place of one that cannot be loaded.
    ///   - shape: The size of the photos, or one of their shape.
    init(_ source: ImageLoader, failureImage: Image? = nil, shape: PixelSize) {
        (self.source, self.failureImage, self.shape) = (source, failureImage, shape)
    }

    /// Shows the image of a URL, and returns when it is there or has failed.
    ///
    func setImage(_ url: String) async {
        shown = []
        slot.load(ImageRequest(url))
        await end()
    }

    /// Tries again what has failed.
    func retry() async {
        shown = []
        slot.retry()
        await end()
    }

    /// The stage that the image came from; nil if there is none.
    var provenance: Provenance? {
        if case .final(let provenance)? = shown.last?.state { provenance } else { nil }
    }

    /// The photo that is shown, by its pixels.
    var number: Int? { shown.last?.number }

    /// Whether the first photo that was shown is this one, as a degraded image.
    func beganDegraded(with number: Int) -> Bool {
        guard let first = shown.first(where: { $0.number != nil }), case .degraded = first.state else { return false }
        return first.number == number
    }

    private var isOver: Bool {
        switch shown.last?.state {
        case .final, .failed: true
        default: false
        }
    }

    private func end() async {
        if isOver { return }
        await withCheckedContinuation { ended = $0 }
    }

    private func show(_ content: ImageSlot.Content) {
        shown.append((content.image.flatMap { IdentityStrip(in: $0, ofShape: shape)?.number }, content.state))
        if isOver { ended.take()?.resume() }
    }
}

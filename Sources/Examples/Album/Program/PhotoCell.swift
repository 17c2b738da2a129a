import ImagePipeline

/// A cell of the album: 120 points at scale 3, so 360 pixels. All that a cell says about loading is in `show`.
@MainActor
final class PhotoCell {
    static let pixels = PixelSize(width: 360, height: 360)

    private(set) var content = ImageSlot.Content(.empty)

    private let onEnd: @MainActor () -> Void
    private let source: ImageLoader
    private let placeholder: Image?
    private lazy var slot = ImageSlot(source: source, placeholder: placeholder) { [weak self] in self?.take($0) }

    init(_ source: ImageLoader, placeholder: Image?, onEnd: @escaping @MainActor () -> Void = {}) {
        (self.source, self.placeholder, self.onEnd) = (source, placeholder, onEnd)
    }

    func show(_ url: String) { slot.load(ImageRequest(url, as: .fill(Self.pixels))) }

    private func take(_ content: ImageSlot.Content) {
        self.content = content
        if content.isOver { onEnd() }
    }
}

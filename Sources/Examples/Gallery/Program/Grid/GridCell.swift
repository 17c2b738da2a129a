import ImagePipeline

/// A cell of the grid, used again and again while one scrolls: a slot, and what it shows.
@MainActor
final class GridCell {
    /// The photo that it is there for.
    private(set) var asset: PhotoAsset?
    private(set) var content = ImageSlot.Content(.empty)

    private var isLoading = false
    private let rendition: Rendition
    private let onShow: @MainActor (GridCell) -> Void
    private let source: ImageLoader
    private lazy var slot = ImageSlot(source: source) { [weak self] content in self?.show(content) }

    init(source: ImageLoader, rendition: Rendition, onShow: @escaping @MainActor (GridCell) -> Void) {
        self.source = source
        self.rendition = rendition
        self.onShow = onShow
    }

    /// Stands for a photo from now on, which is not loaded yet.
    func configure(_ asset: PhotoAsset) { self.asset = asset }

    /// Loads the photo, unless it is there or on its way.
    func load() {
        guard !isLoading, let asset else { return }
        isLoading = true
        slot.load(asset.request(as: rendition))
    }

    /// Stands for the same photo in a newer list, so that the older one need not stay in memory; loads it again if it is another one
    /// under the old name.
    func update(_ asset: PhotoAsset) {
        if asset != self.asset { isLoading = false }
        self.asset = asset
    }

    /// Forgets the photo, cancels its load and shows nothing.
    func prepareForReuse() {
        asset = nil
        if isLoading { slot.prepareForReuse() }
        isLoading = false
    }

    private func show(_ content: ImageSlot.Content) {
        self.content = content
        onShow(self)
    }
}

import Dispatch
import ImagePipeline

/// A cell of the grid, used again and again while one scrolls: a slot, and what it shows.
@MainActor
final class GridCell {
    /// The photo that it is there for.
    private(set) var asset: PhotoAsset?
    private(set) var content = ImageSlot.Content(.empty)

    /// True if the slot has anything of a photo, be it that of an older list.
    private var isInUse = false
    /// The time since which it has stood for the photo.
    private var since = ContinuousClock.now
    /// The number of loads that it has begun.
    private(set) var loadCount = 0
    /// The time at which the load began, and the one at which its final image came.
    private var (began, ended): (ContinuousClock.Instant?, ContinuousClock.Instant?)
    private let rendition: Rendition
    private let onShow: @MainActor (GridCell) -> Void
    private let source: ImageLoader
    private lazy var slot = ImageSlot(source: source) { [weak self] content in self?.show(content) }

    init(source: ImageLoader, rendition: Rendition, onShow: @escaping @MainActor (GridCell) -> Void) {
        self.source = source
        self.rendition = rendition
        self.onShow = onShow
    }

    /// True if there is a photo whose load has not begun.
    var isWaiting: Bool { began == nil && asset != nil }

    /// The seconds that the load has taken, and whether it is over; nil where there was none.
    var loadSeconds: (seconds: Double, isWhole: Bool)? {
        began.map { (($0.duration(to: ended ?? .now)) / .seconds(1), ended != nil) }
    }

    /// The seconds for which it has stood for the photo.
    var secondsHere: Double { since.duration(to: .now) / .seconds(1) }

    /// Stands for a photo from now on, which is not loaded yet.
    func configure(_ asset: PhotoAsset) { (self.asset, since) = (asset, .now) }

    /// Loads the photo, unless it is there or on its way.
    func load() {
        guard isWaiting, let asset else { return }
        (began, ended) = (.now, nil)
        loadCount += 1
        isInUse = true
        slot.load(asset.request(as: rendition))
    }

    /// Stands for the same photo in a newer list, so that the older one need not stay in memory; loads it again if it is another one
    /// under the old name.
    func update(_ asset: PhotoAsset) {
        if asset != self.asset { (began, since) = (nil, .now) }
        self.asset = asset
    }

    /// Forgets the photo, cancels its load and shows nothing.
    func prepareForReuse() {
        asset = nil
        if isInUse { slot.prepareForReuse() }
        (began, isInUse) = (nil, false)
    }

    /// Images that leave the screen are released here: to give their pixels back takes the system a millisecond, and no frame waits for it.
    private static let disposal = DispatchQueue(label: "disposal")

    private func show(_ content: ImageSlot.Content) {
        let old = self.content
        self.content = content
        if case .empty = content.state { Self.disposal.async { withExtendedLifetime(old) {} } }
        if case .final = content.state { ended = .now }
        onShow(self)
    }
}

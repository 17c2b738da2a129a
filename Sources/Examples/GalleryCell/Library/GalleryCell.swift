import Dispatch
import ImagePipeline
import Streams

/// A cell of a gallery, used again and again while one scrolls. It binds a stream to its own property on the main
/// actor: no unchecked box, and nothing of an earlier photo reaches it once it was reused.
@MainActor
public final class GalleryCell {
    /// What it shows.
    public private(set) var image: Image? {
        didSet { shown.append(image) }
    }
    /// Everything it has shown since it was reused, placeholders (nil) included.
    public private(set) var shown: [Image?] = []

    private var cancellables: Set<AnyCancellable> = []

    public init() {}

    /// Shows a thumbnail from now on.
    public func configure(thumbnail: AnyPublisher<Image?, any Error>) {
        thumbnail
            .receive(on: DispatchQueue.main)
            .sink(
                on: MainActor.shared,
                // A photo that cannot be read stays a placeholder.
                receiveCompletion: { _ in },
                receiveValue: { [weak self] image in self?.image = image }
            )
            .store(in: &cancellables)
    }

    /// Forgets the photo, and cancels its request.
    public func prepareForReuse() {
        cancellables.removeAll()
        image = nil
        shown = []
    }
}

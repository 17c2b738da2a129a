import Streams

/// A place that shows one image at a time, such as a cell that is used again and again.
///
/// After `load(b)` nothing of an earlier request is ever shown; what was loading for it is cancelled, and its transfer
/// is closed unless another subscriber waits for it.
@MainActor
public final class ImageSlot {
    /// The state that a slot shows.
    public enum Content: Sendable {
        /// No image: time for a placeholder.
        case empty
        /// An event of the current request.
        case event(ImageEvent)
        /// The error that the current request failed with.
        case failure(LoadError)
    }

    private let source: AnySource<ImageRequest, ImageEvent>
    private let show: @MainActor (Content) -> Void
    private var load: AnyCancellable?

    /// Creates a slot that shows images of a source.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from.
    ///   - show: Shows what has come, on the main actor.
    public init(
        source: some Source<ImageRequest, ImageEvent>, show: @escaping @MainActor @Sendable (Content) -> Void
    ) {
        self.source = AnySource(source)
        self.show = show
    }

    /// Shows the images of a request from now on; an image in memory is shown before this returns.
    ///
    /// - Parameter request: The image to show.
    public func load(_ request: ImageRequest) {
        prepareForReuse()
        let show = show
        load = source.events(for: request).sink(
            on: MainActor.shared,
            receiveCompletion: { completion in
                if case .failure(let error) = completion { show(.failure(error)) }
            },
            receiveValue: { show(.event($0)) })
    }

    /// Cancels the load and shows nothing.
    public func prepareForReuse() {
        load = nil
        show(.empty)
    }
}

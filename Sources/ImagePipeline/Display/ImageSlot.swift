import Streams

/// A place that shows one image at a time, such as a cell that is used again and again.
///
///     let slot = ImageSlot(source: pipeline, placeholder: grey) { content in view.image = content.image }
///     slot.load(request)
///
/// After `load(b)` nothing of an earlier request is ever shown; what was loading for it is cancelled, and its transfer
/// is closed unless another subscriber waits for it. Releasing the slot cancels its load and shows nothing more.
///
/// All methods may be called on any thread and from inside `show`. The closure is called in one context only, one call at a time:
/// on the main actor, an actor of your own or a scheduler, such as a queue. Where `load(_:)` is called on that actor, an image in
/// memory is shown before it returns; where it is called inside `show`, right after that has returned. Called elsewhere, it may come while
/// `show` is still busy with the image before.
///
/// Demand: one event at a time, the next when `show` has returned. A context that is busy is not sent more than it can show; what it
/// has missed was replaced by something newer, and the final image never is.
public final class ImageSlot: Sendable {
    private let core: SlotCore

    /// Creates a slot that shows images on the main actor.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from.
    ///   - placeholder: The image to show while nothing of a load has come; nil for none.
    ///   - failureImage: The image to show when a load has failed and there is nothing better to keep; nil for none.
    ///   - reportsProgress: A Boolean value that determines whether `show` is called for progress alone.
    ///   - show: Shows the content, on the main actor.
    public init(
        source: some Source<ImageRequest, ImageEvent>, placeholder: Image? = nil, failureImage: Image? = nil,
        reportsProgress: Bool = false, show: @escaping @MainActor @Sendable (Content) -> Void
    ) {
        core = SlotCore(
            source: AnySource(source),
            look: SlotLook(placeholder: placeholder, failureImage: failureImage, reportsProgress: reportsProgress),
            context: .mainActor, show: { content in MainActor.assumeIsolated { show(content) } })
    }

    /// Creates a slot that shows images on an actor.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from.
    ///   - actor: The actor to show on.
    ///   - placeholder: The image to show while nothing of a load has come; nil for none.
    ///   - failureImage: The image to show when a load has failed and there is nothing better to keep; nil for none.
    ///   - reportsProgress: A Boolean value that determines whether `show` is called for progress alone.
    ///   - show: Shows the content, on the actor.
    public init<Isolation: Actor>(
        source: some Source<ImageRequest, ImageEvent>, on actor: Isolation, placeholder: Image? = nil,
        failureImage: Image? = nil, reportsProgress: Bool = false,
        show: @escaping @Sendable (isolated Isolation, Content) -> Void
    ) {
        core = SlotCore(
            source: AnySource(source),
            look: SlotLook(placeholder: placeholder, failureImage: failureImage, reportsProgress: reportsProgress),
            context: .actor(actor), show: { [weak actor] content in actor?.assumeIsolated { show($0, content) } })
    }

    /// Creates a slot that shows images on a scheduler, such as a dispatch queue.
    ///
    /// - Parameters:
    ///   - source: The source that images are loaded from.
    ///   - scheduler: The scheduler to show on.
    ///   - placeholder: The image to show while nothing of a load has come; nil for none.
    ///   - failureImage: The image to show when a load has failed and there is nothing better to keep; nil for none.
    ///   - reportsProgress: A Boolean value that determines whether `show` is called for progress alone.
    ///   - show: Shows the content, on the scheduler, one call at a time.
    public init(
        source: some Source<ImageRequest, ImageEvent>, on scheduler: some Scheduler, placeholder: Image? = nil,
        failureImage: Image? = nil, reportsProgress: Bool = false, show: @escaping @Sendable (Content) -> Void
    ) {
        core = SlotCore(
            source: AnySource(source),
            look: SlotLook(placeholder: placeholder, failureImage: failureImage, reportsProgress: reportsProgress),
            context: .scheduler(scheduler), show: show)
    }

    deinit { core.end() }

    /// Shows the images of a request from now on.
    ///
    /// - Parameters:
    ///   - request: The image to show.
    ///   - keepingImage: A Boolean value that determines whether the image that is shown stays until there is one of the new request,
    ///     in place of the placeholder: for loading the same picture again, or another size of it.
    ///   - isolation: The actor that the caller runs on; leave it out.
    public func load(
        _ request: ImageRequest, keepingImage: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) {
        core.load(request, keepingImage: keepingImage, isolation: isolation)
    }

    /// Begins the current request again if its load has failed, and does nothing otherwise. An image that was shown of it stays
    /// meanwhile.
    ///
    /// - Parameter isolation: The actor that the caller runs on; leave it out.
    public func retry(isolation: isolated (any Actor)? = #isolation) {
        core.retry(isolation: isolation)
    }

    /// Cancels the load and shows nothing: ``State/empty``.
    ///
    /// - Parameter isolation: The actor that the caller runs on; leave it out.
    public func prepareForReuse(isolation: isolated (any Actor)? = #isolation) {
        core.load(nil, keepingImage: false, isolation: isolation)
    }
}

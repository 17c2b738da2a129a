/// One connection of a shared publisher, as the slot of its subscription: cancelled, when the last subscriber has gone, even
/// if that subscription is yet to come.
///
/// Unchecked as its base: it adds a constant.
@usableFromInline
final class SharedConnection: UpstreamSlot, @unchecked Sendable {
    /// Tells its signals from those of other connections, which reach none of its subscribers.
    @usableFromInline let generation: Int

    init(generation: Int) {
        self.generation = generation
        super.init()
    }
}

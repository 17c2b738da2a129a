/// One connection of a shared publisher: cancelled, when the last subscriber has gone, even if its subscription is yet to
/// come.
@frozen @usableFromInline
struct SharedConnection: Sendable {
    @usableFromInline let slot: UpstreamSlot
    /// Tells its signals from those of other connections, which reach none of its subscribers.
    @usableFromInline let generation: Int

    init(slot: UpstreamSlot, generation: Int) {
        self.slot = slot
        self.generation = generation
    }
}

extension MergeCore {
    /// The state behind the lock, to which `place`, `queued` and `isFinished` of each inner publisher's slot belong as well.
    @usableFromInline
    struct State: Sendable {
        /// In no order: each knows its place.
        @usableFromInline var inners: [InnerSlot] = []
        @usableFromInline var values = Deque<QueuedValue>()
        @usableFromInline var isOuterDone = false
        /// Whether the outer publisher is to be asked for one more when the queue is empty.
        @usableFromInline var isOuterWaiting = false
        /// Whether one has failed: the others are being cancelled.
        @usableFromInline var isFailing = false
        /// The failure, once they have been.
        @usableFromInline var failure: Failure?

        @inlinable
        init() {}

        /// The only one, where a new inner publisher replaces the one before.
        @inlinable
        var newest: InnerSlot? { inners.last }

        @inlinable
        mutating func add(_ slot: InnerSlot) {
            slot.place = inners.count
            inners.append(slot)
        }

        /// The last one takes its place.
        @inlinable
        mutating func remove(_ slot: InnerSlot) {
            guard let place = slot.place, let last = inners.popLast() else { return }
            slot.place = nil
            guard last !== slot else { return }
            last.place = place
            inners[place] = last
        }

        @inlinable
        mutating func takeInners() -> [InnerSlot] {
            defer { inners = [] }
            for slot in inners { slot.place = nil }
            return inners
        }
    }
}

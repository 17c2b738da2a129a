import Synchronization

/// Counts what is alive: tests assert that nothing is left behind.
///
///     let counter = ResourceCounter()
///     let publisher = counter.counting(source)
///     …
///     #expect(counter.count == 0)
public final class ResourceCounter: Sendable {
    private let alive = Atomic(0)
    private let made = Atomic(0)

    public init() {}

    /// How many are alive now.
    public var count: Int { alive.load(ordering: .acquiring) }

    /// How many there have been.
    public var total: Int { made.load(ordering: .acquiring) }

    /// One more; it counts until it is let go of.
    public func retain() -> Token { Token(self) }

    /// Counts the subscriptions to a publisher, from the subscription to the end or the cancel.
    public func counting<P: Publisher>(_ publisher: P) -> Publishers.Using<Token, P> {
        Publishers.Using({ self.retain() }, publisher: { _ in publisher }, dispose: { $0.release() })
    }

    /// Something that is alive.
    public final class Token: Sendable {
        private let counter: ResourceCounter
        private let isReleased = Atomic(false)

        init(_ counter: ResourceCounter) {
            self.counter = counter
            counter.alive.add(1, ordering: .acquiringAndReleasing)
            counter.made.add(1, ordering: .acquiringAndReleasing)
        }

        deinit {
            release()
        }

        /// It is alive no more.
        public func release() {
            guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
            counter.alive.subtract(1, ordering: .acquiringAndReleasing)
        }
    }
}

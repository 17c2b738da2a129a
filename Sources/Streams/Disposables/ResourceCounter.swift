import Synchronization

/// Counts objects that are alive, so that tests can assert that none is left behind.
///
///     let counter = ResourceCounter()
///     let publisher = counter.counting(source)
///     …
///     #expect(counter.count == 0)
public final class ResourceCounter: Sendable {
    private let alive = Atomic(0)
    private let made = Atomic(0)

    /// Creates a counter that has counted nothing yet.
    public init() {}

    /// The number of objects that are alive now.
    public var count: Int { alive.load(ordering: .acquiring) }

    /// The number of objects that have ever been counted.
    public var total: Int { made.load(ordering: .acquiring) }

    /// Counts one more object, until the returned token is released.
    public func retain() -> Token { Token(self) }

    /// Counts the subscriptions to a publisher, from the subscription to the end or the cancel.
    ///
    /// - Parameter publisher: The publisher whose subscriptions are counted.
    public func counting<P: Publisher>(_ publisher: P) -> Publishers.Using<Token, P> {
        Publishers.Using({ self.retain() }, publisher: { _ in publisher }, dispose: { $0.release() })
    }

    /// A handle for an object that is counted while the handle is alive.
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

        /// Ends the count of the object.
        public func release() {
            guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
            counter.alive.subtract(1, ordering: .acquiringAndReleasing)
        }
    }
}

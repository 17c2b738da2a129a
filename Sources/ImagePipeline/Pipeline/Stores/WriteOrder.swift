import Synchronization

/// The order in which what loads have brought is written: of one key one write after the other, and none over what is newer, or older than
/// what another load has brought of the same resource.
///
/// Of two things that is newer whose server was asked later, whichever loads have shared it on its way. Where nobody has noted that, the
/// beginning of the load stands in for what comes from a server; what comes from a cache may have been read before the newest came, unless
/// its load has begun since.
///
/// No thread waits: a write whose time has not come is kept, and begun by the end of the one before.
final class WriteOrder: Sendable {
    private struct Resource {
        /// Counts what happens: loads begin, and bring something.
        var moment = 0
        /// The newest that has come, and the moment at which it did.
        var newest: AskingTime?
        var arrival = 0
        /// The loads that go on, and the writes that are still to come.
        var open = 0
        var writes: [CacheKey: Writes] = [:]

        /// Notes what a load brings that began at a moment, unless something newer has come.
        mutating func takes(_ asked: AskingTime?, beginning: Int, at now: Duration) -> Bool {
            guard let asked else { return beginning > arrival }
            if newest?.isLater(than: asked, at: now) == true { return false }
            moment += 1
            (newest, arrival) = (asked, moment)
            return true
        }
    }

    private struct Writes {
        /// The newest place.
        var last = 0
        var isWriting = false
        var waiting: Waiting?
    }

    private typealias Waiting = (place: Place, write: @Sendable (Turn) -> Void)

    private let now: @Sendable () -> Duration
    private let resources = Mutex<[CacheKey: Resource]>([:])

    /// - Parameter now: The wall clock, as the time since 1970.
    init(now: @escaping @Sendable () -> Duration) {
        self.now = now
    }

    /// A load begins.
    ///
    /// - Parameters:
    ///   - key: The key under which what it brings is written.
    ///   - resource: The key of what that is of.
    func begin(_ key: CacheKey, of resource: CacheKey) -> Load {
        let begun = AskingTime(now: now())
        let moment = resources.withLock { resources in
            resources[resource, default: Resource()].moment += 1
            resources[resource]?.open += 1
            return resources[resource]?.moment ?? 0
        }
        return Load(order: self, key: key, resource: resource, beginning: moment, begun: begun)
    }

    private func place(for load: Load, asked: AskingTime?) -> Place? {
        let now = now()
        let number = resources.withLock { resources -> Int? in
            // In its place: a copy would copy its writes.
            guard let index = resources.index(forKey: load.resource),
                resources.values[index].takes(asked, beginning: load.beginning, at: now)
            else { return nil }
            resources.values[index].writes[load.key, default: Writes()].last += 1
            return resources.values[index].writes[load.key]?.last
        }
        return number.map { Place(load: load, number: $0) }
    }

    private func isNewest(_ place: Place) -> Bool {
        writes(of: place.load) { $0.last == place.number }
    }

    private func write(at place: Place, _ write: @escaping @Sendable (Turn) -> Void) {
        let (isNext, left) = writes(of: place.load) { writes -> (Bool, Waiting?) in
            guard writes.last == place.number else { return (false, nil) }
            guard writes.isWriting else {
                writes.isWriting = true
                return (true, nil)
            }
            defer { writes.waiting = (place, write) }
            return (false, writes.waiting)
        }
        // A write that is replaced is released outside the lock.
        withExtendedLifetime(left) {}
        if isNext { write(Turn(place: place)) }
    }

    private func writeNext(after load: Load) {
        let next = writes(of: load) { writes -> Waiting? in
            writes.isWriting = writes.waiting != nil
            return writes.waiting.take()
        }
        guard let next else { return }
        next.write(Turn(place: next.place))
    }

    /// Changes the writes of a load's key, under the lock. They are there for as long as one of its places.
    private func writes<Result>(of load: Load, _ body: (inout Writes) -> sending Result) -> Result {
        resources.withLock { resources in
            body(&resources[load.resource, default: Resource()].writes[load.key, default: Writes()])
        }
    }

    private func leave(_ resource: CacheKey) {
        resources.withLock { resources in
            resources[resource]?.open -= 1
            if resources[resource]?.open == 0 { resources[resource] = nil }
        }
    }

    /// A load, which is over when it and all its places are released.
    final class Load: Sendable {
        fileprivate let order: WriteOrder
        fileprivate let key: CacheKey
        fileprivate let resource: CacheKey
        fileprivate let beginning: Int
        private let begun: AskingTime

        fileprivate init(order: WriteOrder, key: CacheKey, resource: CacheKey, beginning: Int, begun: AskingTime) {
            self.order = order
            self.key = key
            self.resource = resource
            self.beginning = beginning
            self.begun = begun
        }

        deinit { order.leave(resource) }

        /// Takes the place of the newest write for what the load has brought: what has an older one is not written any more.
        ///
        /// - Returns: Nil where something newer has come.
        func place(for provenance: Provenance) -> Place? {
            order.place(for: self, asked: provenance.asked ?? (provenance.isNews ? begun : nil))
        }

        /// Takes the place for the word of a server that the load has asked, and that has sent nothing to be kept.
        ///
        /// - Parameter asked: The moment at which it asked; nil for its beginning.
        /// - Returns: Nil where something newer has come.
        func place(asked: AskingTime? = nil) -> Place? {
            order.place(for: self, asked: asked ?? begun)
        }
    }

    /// A place in the order.
    struct Place: Sendable {
        fileprivate let load: Load
        fileprivate let number: Int

        /// Whether nobody has taken another since.
        var isNewest: Bool { load.order.isNewest(self) }

        /// Does a write when that of the same key before it is over, unless there is a newer place.
        ///
        /// - Parameter write: The write, which is over when the turn is released.
        func write(_ write: @escaping @Sendable (Turn) -> Void) {
            load.order.write(at: self, write)
        }
    }

    /// The turn of a write, which ends when it is released: also where the store has refused to do it.
    final class Turn: Sendable {
        private let place: Place

        fileprivate init(place: Place) {
            self.place = place
        }

        deinit { place.load.order.writeNext(after: place.load) }
    }
}

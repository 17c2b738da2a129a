import Synchronization

/// The order in which what loads have brought is written: of one key one write after the other, and none over what is newer.
///
/// A server's answer is newer than all that loads bring that began before. A cache's is no news: it may have been read before the newest came,
/// unless its load has begun since.
///
/// No thread waits: a write whose time has not come is kept, and begun by the end of the one before.
final class WriteOrder: Sendable {
    private struct Writes {
        /// Counts what happens: loads begin, and bring something new.
        var moment = 0
        /// The moment at which the newest load began that has brought something new, and the one at which it last came.
        var newest = 0
        var arrival = 0
        /// The newest place.
        var last = 0
        /// The loads that go on, and the writes that are still to come.
        var open = 0
        var isWriting = false
        var waiting: Waiting?
    }

    private typealias Waiting = (place: Place, write: @Sendable (Turn) -> Void)

    private let writes = Mutex<[CacheKey: Writes]>([:])

    /// A load of a key begins.
    func begin(_ key: CacheKey) -> Load {
        let moment = writes.withLock { writes in
            writes[key, default: Writes()].moment += 1
            writes[key]?.open += 1
            return writes[key]?.moment ?? 0
        }
        return Load(order: self, key: key, beginning: moment)
    }

    private func place(for load: Load, isNew: Bool) -> Place? {
        let number = writes.withLock { writes -> Int? in
            guard var found = writes[load.key], isNew ? load.beginning >= found.newest : load.beginning > found.arrival
            else { return nil }
            if isNew {
                found.moment += 1
                (found.newest, found.arrival) = (load.beginning, found.moment)
            }
            found.last += 1
            writes[load.key] = found
            return found.last
        }
        return number.map { Place(load: load, number: $0) }
    }

    private func isNewest(_ place: Place) -> Bool {
        writes.withLock { $0[place.load.key]?.last == place.number }
    }

    private func write(at place: Place, _ write: @escaping @Sendable (Turn) -> Void) {
        let key = place.load.key
        let (isNext, left) = writes.withLock { writes -> (Bool, Waiting?) in
            guard let found = writes[key], found.last == place.number else { return (false, nil) }
            guard found.isWriting else {
                writes[key]?.isWriting = true
                return (true, nil)
            }
            writes[key]?.waiting = (place, write)
            return (false, found.waiting)
        }
        // A write that is replaced is released outside the lock.
        withExtendedLifetime(left) {}
        if isNext { write(Turn(place: place)) }
    }

    private func writeNext(_ key: CacheKey) {
        let next = writes.withLock { writes -> Waiting? in
            let next = writes[key]?.waiting.take()
            writes[key]?.isWriting = next != nil
            return next
        }
        guard let next else { return }
        next.write(Turn(place: next.place))
    }

    private func leave(_ key: CacheKey) {
        writes.withLock { writes in
            writes[key]?.open -= 1
            if writes[key]?.open == 0 { writes[key] = nil }
        }
    }

    /// A load, which is over when it and all its places are released.
    final class Load: Sendable {
        fileprivate let order: WriteOrder
        fileprivate let key: CacheKey
        fileprivate let beginning: Int

        fileprivate init(order: WriteOrder, key: CacheKey, beginning: Int) {
            self.order = order
            self.key = key
            self.beginning = beginning
        }

        deinit { order.leave(key) }

        /// Takes the place of the newest write for what the load has brought: what has an older one is not written any more.
        ///
        /// - Parameter isNew: Whether it comes from a server.
        /// - Returns: Nil where something newer has come.
        func place(isNew: Bool) -> Place? {
            order.place(for: self, isNew: isNew)
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

        deinit { place.load.order.writeNext(place.load.key) }
    }
}

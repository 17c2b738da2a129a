import Synchronization

/// The order of writes that are prepared at the same time: those of one key follow one another, and none follows a newer one's.
///
/// No thread waits: a write whose time has not come is kept, and begun by the end of the one before.
final class WriteOrder: Sendable {
    private struct Writes {
        var newest = 0
        /// The places that are taken, whose writes are still to come.
        var open = 0
        var isWriting = false
        var waiting: Waiting?
    }

    private typealias Waiting = (place: Place, write: @Sendable (Turn) -> Void)

    private let writes = Mutex<[CacheKey: Writes]>([:])

    /// Takes the place of the newest write of a key: those whose places are older are not done any more.
    func place(for key: CacheKey) -> Place {
        let number = writes.withLock { writes in
            writes[key, default: Writes()].newest += 1
            writes[key]?.open += 1
            return writes[key]?.newest ?? 0
        }
        return Place(order: self, key: key, number: number)
    }

    private func write(at place: Place, _ write: @escaping @Sendable (Turn) -> Void) {
        let (isNext, left) = writes.withLock { writes -> (Bool, Waiting?) in
            guard let found = writes[place.key], found.newest == place.number else { return (false, nil) }
            guard found.isWriting else {
                writes[place.key]?.isWriting = true
                return (true, nil)
            }
            writes[place.key]?.waiting = (place, write)
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

    /// A place in the order, which is left when it is released.
    final class Place: Sendable {
        fileprivate let order: WriteOrder
        fileprivate let key: CacheKey
        fileprivate let number: Int

        fileprivate init(order: WriteOrder, key: CacheKey, number: Int) {
            self.order = order
            self.key = key
            self.number = number
        }

        deinit { order.leave(key) }

        /// Does a write when that of the same key before it is over, unless there is a newer place.
        ///
        /// - Parameter write: The write, which is over when the turn is released.
        func write(_ write: @escaping @Sendable (Turn) -> Void) {
            order.write(at: self, write)
        }
    }

    /// The turn of a write, which ends when it is released: also where the store has refused to do it.
    final class Turn: Sendable {
        private let place: Place

        fileprivate init(place: Place) {
            self.place = place
        }

        deinit { place.order.writeNext(place.key) }
    }
}

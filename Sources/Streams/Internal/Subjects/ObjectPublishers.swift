import Synchronization

/// The publishers of observable objects that have no published property to keep one: each is there until its object has gone.
enum ObjectPublishers {
    private struct Entry: Sendable {
        let object: WeakObject
        let publisher: ObservableObjectPublisher
    }

    private struct Table {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// With as many entries those of objects that have gone are looked for: each costs a constant, in the mean.
        var limit = 16
    }

    /// What the lock was held for, and what may be released outside of it only.
    private struct Found: Sendable {
        let publisher: ObservableObjectPublisher
        var leaving: [Entry] = []
        var held: [WeakObject.Held] = []
    }

    private static let table = Mutex(Table())

    /// The publisher that an object has been given.
    static func existing(of object: AnyObject) -> ObservableObjectPublisher? {
        let id = ObjectIdentifier(object)
        // The object of an entry that has one is this one: it is alive.
        return table.withLock { table in table.entries[id].flatMap { $0.object.held.isThere ? $0.publisher : nil } }
    }

    /// Gives an object a publisher, unless it has one.
    static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let id = ObjectIdentifier(object)
        let fresh = Entry(object: WeakObject(object), publisher: ObservableObjectPublisher())
        let found = table.withLock { table in
            if let entry = table.entries[id], entry.object.held.isThere { return Found(publisher: entry.publisher) }
            var found = Found(publisher: fresh.publisher)
            // Of an object that was at this place before.
            if let old = table.entries.updateValue(fresh, forKey: id) { found.leaving.append(old) }
            guard table.entries.count >= table.limit else { return found }
            for (id, entry) in table.entries {
                let held = entry.object.held
                if held.isThere {
                    found.held.append(held)
                } else if let gone = table.entries.removeValue(forKey: id) {
                    found.leaving.append(gone)
                }
            }
            table.limit = max(16, 2 * table.entries.count)
            return found
        }
        return found.publisher
    }
}

/// An object that may go.
///
/// Unchecked: whether it is there is asked atomically, and nothing else is.
private struct WeakObject: @unchecked Sendable {
    /// What keeps the object there, until it is released; nothing of the object is used.
    struct Held: @unchecked Sendable {
        fileprivate let object: AnyObject?
        var isThere: Bool { object != nil }
    }

    private weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }

    var held: Held { Held(object: object) }
}

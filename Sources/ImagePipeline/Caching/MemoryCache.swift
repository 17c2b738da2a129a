import Synchronization

/// The most recently used values, up to a total cost; the least recently used go first.
///
/// Every operation takes constant time, may be called from any thread, and releases what it evicts outside its lock. Keys
/// are hashed and compared under it: what a key does for that must not use the cache.
/// The cost limit is strict: at no time does the cache hold more, and what costs more than the limit is not kept.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How long a value may be served, by the clock that was injected; nil for ever.
    public let timeToLive: Duration?

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<RecencyList<Key, Entry>>

    struct Entry: Sendable {
        let value: Value
        let inserted: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - costLimit: The total cost it may hold; for images, decoded bytes.
    ///   - timeToLive: How long a value may be served; nil for ever.
    ///   - now: The clock.
    public init(
        costLimit: Int, timeToLive: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.timeToLive = timeToLive
        self.now = now
        state = Mutex(RecencyList(costLimit: max(0, costLimit)))
    }

    /// The value of a key, which becomes the most recently used; nil when there is none or its time is over.
    public func value(forKey key: Key) -> Value? {
        let time = timeToLive.map { _ in now() }
        // The expired entry leaves the lock before it is released.
        let (entry, expired) = state.withLock { list -> (Entry?, RecencyList<Key, Entry>.Removed?) in
            guard let entry = list.use(key) else { return (nil, nil) }
            guard let time, let timeToLive, let inserted = entry.inserted, inserted.duration(to: time) >= timeToLive
            else { return (entry, nil) }
            return (nil, list.remove(key))
        }
        withExtendedLifetime(expired) {}
        return entry?.value
    }

    /// Keeps a value, and evicts as many others as its cost needs.
    ///
    /// - Returns: Whether it was kept; not if it costs more than the limit. What the key had before is gone either way.
    @discardableResult
    public func insert(_ value: Value, forKey key: Key, cost: Int) -> Bool {
        let entry = Entry(value: value, inserted: timeToLive.map { _ in now() })
        let (isKept, evicted) = state.withLock { $0.insert(entry, forKey: key, cost: max(0, cost)) }
        withExtendedLifetime(evicted) {}
        return isKept
    }

    /// Removes one.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        state.withLock { $0.remove(key) }?.value.value
    }

    /// Evicts the least recently used until no more than this cost is held: the answer to memory pressure.
    public func trim(toCost cost: Int) {
        let evicted = state.withLock { $0.trim(toCost: cost) }
        withExtendedLifetime(evicted) {}
    }

    /// Removes everything.
    public func removeAll() {
        trim(toCost: -1)
    }

    /// The cost of what it holds.
    public var totalCost: Int {
        state.withLock { $0.totalCost }
    }

    /// How many values it holds.
    public var count: Int {
        state.withLock { $0.count }
    }
}

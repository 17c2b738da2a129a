import Synchronization

/// A cache that keeps the most recently used values up to a total cost, and evicts the least recently used first.
///
/// Every operation takes constant time, may be called from any thread, and releases what it evicts outside its lock. Keys
/// are hashed and compared under it: what a key does for that must not use the cache.
/// The cost limit is strict: at no time does the cache hold more, and what costs more than the limit is not kept.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The longest time for which a value is served, by the clock that was injected; nil for ever.
    public let timeToLive: Duration?

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<RecencyList<Key, Entry>>

    struct Entry: Sendable {
        let value: Value
        let inserted: ContinuousClock.Instant?
    }

    /// Creates a cache with a limit of its total cost.
    ///
    /// - Parameters:
    ///   - costLimit: The total cost it may hold; for images, decoded bytes.
    ///   - timeToLive: The longest time for which a value is served; nil for ever.
    ///   - now: The clock.
    public init(
        costLimit: Int, timeToLive: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.timeToLive = timeToLive
        self.now = now
        state = Mutex(RecencyList(costLimit: max(0, costLimit)))
    }

    /// Returns the value of a key, which becomes the most recently used; nil when there is none or it has expired.
    ///
    /// - Parameter key: The key of the value.
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

    /// Keeps a value, and evicts as many others as its cost requires.
    ///
    /// - Parameters:
    ///   - value: The value to keep.
    ///   - key: The key of the value.
    ///   - cost: The cost of the value, in the unit of the limit.
    /// - Returns: `true` if it was kept; `false` if it costs more than the limit. The value that the key had before is removed either way.
    @discardableResult
    public func insert(_ value: Value, forKey key: Key, cost: Int) -> Bool {
        let entry = Entry(value: value, inserted: timeToLive.map { _ in now() })
        let (isKept, evicted) = state.withLock { $0.insert(entry, forKey: key, cost: max(0, cost)) }
        withExtendedLifetime(evicted) {}
        return isKept
    }

    /// Removes the value of a key, and returns it.
    ///
    /// - Parameter key: The key of the value.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        state.withLock { $0.remove(key) }?.value.value
    }

    /// Evicts the least recently used values until the total cost is at most `cost`: the answer to memory pressure.
    ///
    /// - Parameter cost: The total cost to keep at most.
    public func trim(toCost cost: Int) {
        let evicted = state.withLock { $0.trim(toCost: cost) }
        withExtendedLifetime(evicted) {}
    }

    /// Removes every value.
    public func removeAll() {
        trim(toCost: -1)
    }

    /// The total cost of the values that the cache holds.
    public var totalCost: Int {
        state.withLock { $0.totalCost }
    }

    /// The number of values that the cache holds.
    public var count: Int {
        state.withLock { $0.count }
    }
}

/// A cache of values in memory, within a limit of their cost and one of their number, for any number of threads.
///
/// Every operation takes constant time, and releases what it evicts outside its lock. Keys are compared under it: what a key does for
/// that must not use the cache. Both limits are strict: at no time does the cache hold more. What costs more than the limit is not kept;
/// anything else is there when ``insert(_:forKey:cost:freshFor:lifetime:isLossy:)`` returns. Of keys that all have one hash value the cache
/// holds 16, so that a poor hash makes it small and not slow.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value that was found.
    public struct Hit: Sendable {
        /// The value.
        @inlinable public var value: Value { entry.value }
        /// A Boolean value that indicates whether it may be served without asking where it came from.
        public let isFresh: Bool
        /// A Boolean value that indicates whether it was inserted as one that has lost something on its way.
        @inlinable public var isLossy: Bool { entry.isLossy }

        /// By reference: a value of many parts is not copied by whoever passes a hit on.
        @usableFromInline let entry: MemoryCacheEntry<Key, Value>

        @inlinable
        init(_ entry: MemoryCacheEntry<Key, Value>, isFresh: Bool) {
            self.entry = entry
            self.isFresh = isFresh
        }
    }

    /// The largest total cost.
    public let costLimit: Int
    /// The largest number of values.
    public let countLimit: Int
    /// The longest time for which a value is kept, by the clock that was injected; nil for ever.
    public let timeToLive: Duration?
    /// The order in which values are evicted.
    public let policy: EvictionPolicy

    @usableFromInline let now: @Sendable () -> ContinuousClock.Instant
    @usableFromInline let state: MemoryCacheSlots<Key, Value>

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - costLimit: The largest total cost; for images, decoded bytes. By default a share of the machine's memory.
    ///   - countLimit: The largest number of values.
    ///   - timeToLive: The longest time for which a value is kept; nil for ever.
    ///   - policy: The order in which values are evicted.
    ///   - now: The clock that times are measured by.
    public init(
        costLimit: Int = MachineMemory.standardCacheLimit, countLimit: Int = .max, timeToLive: Duration? = nil,
        policy: EvictionPolicy = .adaptive,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.costLimit = max(0, costLimit)
        // Places are counted in 32 bits.
        self.countLimit = min(max(0, countLimit), Int(Int32.max))
        self.timeToLive = timeToLive
        self.policy = policy
        self.now = now
        state = MemoryCacheSlots(
            MemoryCacheState(costLimit: self.costLimit, countLimit: self.countLimit, isAdaptive: policy == .adaptive))
    }

    /// Returns the value of a key, which counts as a use of it; nil when there is none, or it is not fresh any more.
    ///
    /// - Parameter key: The key of the value.
    @inlinable
    public func value(forKey key: Key) -> Value? {
        let hash = key.hashValue
        // The value by itself: to count references to the entry as well, which threads share, would take a sixth of the time.
        guard let found = state.use(key, hash, { (value: $0.value, timed: $0.times == nil ? nil : $0) }) else {
            return nil
        }
        guard let entry = found.timed else { return found.value }
        return hit(entry, hash)?.isFresh == true ? found.value : nil
    }

    /// Returns the value of a key, fresh or not, which counts as a use of it; nil when there is none or its time to live is over.
    ///
    /// - Parameter key: The key of the value.
    @inlinable
    public func hit(forKey key: Key) -> Hit? {
        let hash = key.hashValue
        guard let entry = state.use(key, hash, { $0 }) else { return nil }
        return entry.times == nil ? Hit(entry, isFresh: true) : hit(entry, hash)
    }

    /// The hit on a value that has times.
    @usableFromInline
    func hit(_ entry: MemoryCacheEntry<Key, Value>, _ hash: Int) -> Hit? {
        guard let times = entry.times else { return Hit(entry, isFresh: true) }
        let time = now()
        if time < times.deadline { return Hit(entry, isFresh: true) }
        if let expiry = times.expiry, time >= expiry {
            // Unless another one has come meanwhile. It leaves the lock before it is released.
            let expired = state.change { $0.remove(entry.key, hash, &$1) { $0 === entry } }
            withExtendedLifetime(expired) {}
            return nil
        }
        return Hit(entry, isFresh: false)
    }

    /// The times for which a value that was found is fresh, and for which it may be served at all; nil for no end.
    func rest(of hit: Hit) -> (freshness: Duration?, lifetime: Duration?) {
        guard let times = hit.entry.times, times.end != nil || times.last != nil else { return (nil, nil) }
        let time = now()
        return (times.end.map { time.duration(to: $0) }, times.last.map { time.duration(to: $0) })
    }

    /// Keeps a value, and evicts as many others as that takes.
    ///
    /// - Parameters:
    ///   - value: The value to keep.
    ///   - key: The key of the value.
    ///   - cost: The cost of the value, in the unit of the limit; at least 1.
    ///   - freshness: The time for which the value may be served without asking where it came from; nil for as long as it is kept.
    ///   - lifetime: The time after which it is removed, if that is earlier than the end of the cache's own time to live.
    ///   - isLossy: A Boolean value that indicates whether it has lost something on its way, which hits say of it.
    /// - Returns: `true` if it was kept; `false` if it costs more than the limit. The value that the key had before is removed either way.
    @discardableResult
    public func insert(
        _ value: Value, forKey key: Key, cost: Int, freshFor freshness: Duration? = nil, lifetime: Duration? = nil,
        isLossy: Bool = false
    ) -> Bool {
        let time = timeToLive == nil && lifetime == nil && freshness == nil ? nil : now()
        func moment(_ duration: Duration?) -> ContinuousClock.Instant? { duration.flatMap { time?.advanced(by: $0) } }
        let times = MemoryCacheEntry<Key, Value>.Times(
            expiry: moment(timeToLive), end: moment(freshness), last: moment(lifetime))
        let entry = MemoryCacheEntry(key: key, value: value, times: times, isLossy: isLossy)
        let hash = key.hashValue
        let insertion = state.change { $0.insert(entry, hash, cost: max(1, cost), &$1) }
        return insertion.isKept
    }

    /// Removes the value of a key, and returns it.
    ///
    /// - Parameter key: The key of the value.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        let hash = key.hashValue
        return state.change { $0.remove(key, hash, &$1) { _ in true } }?.value
    }

    /// Evicts values until the total cost is at most `cost`: the answer to memory pressure.
    ///
    /// - Parameter cost: The total cost to keep at most.
    public func trim(toCost cost: Int) {
        let evicted = state.change { $0.trim(toCost: cost, &$1) }
        withExtendedLifetime(evicted) {}
    }

    /// Removes every value.
    public func removeAll() {
        trim(toCost: -1)
    }

    /// The total cost of the values that the cache holds.
    public var totalCost: Int {
        state.change { $1.order.totalCost }
    }

    /// The number of values that the cache holds.
    public var count: Int {
        state.change { state, _ in state.places.count }
    }
}

/// The part of a memory cache that uses of its values change: their order, and the duel between two of them.
@usableFromInline
struct CacheUses: Sendable {
    @usableFromInline var order = CacheOrder()
    /// Nil until the cache is full for the first time, and for a fixed policy.
    @usableFromInline var duel: EvictionDuel?

    init() {}

    /// Counts a use of the value in a place.
    @inlinable
    mutating func didUse(_ place: Int) {
        duel?.didLookUp(order.marks[place].hash, cost: order.marks[place].cost)
        order.use(place, byFrequency: duel?.isByFrequency ?? false)
    }

    /// The frequencies that decide on evictions; nil for the order of use.
    var frequencies: FrequencySketch? {
        guard let duel, duel.isByFrequency else { return nil }
        return duel.frequencies
    }
}

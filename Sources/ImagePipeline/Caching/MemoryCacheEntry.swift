/// A key, its value in memory and its times: a reference, so that a hit can be passed on without a copy of a value of many words.
///
/// The key is in here, and not in a table: what a look-up compares and what it takes lie side by side.
@usableFromInline
final class MemoryCacheEntry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    /// True if it has lost something on its way.
    @usableFromInline let isLossy: Bool
    /// Nil where it has none.
    @usableFromInline let times: Times?

    /// By reference: the layout of a clock's time is known at run time only, and would make a long way of each look at it.
    @usableFromInline
    final class Times: Sendable {
        /// The end of its time to live; nil for none.
        let expiry: ContinuousClock.Instant?
        /// The first of its times.
        let deadline: ContinuousClock.Instant

        /// - Parameter end: The end of its freshness; nil for none.
        /// - Returns: nil if there is neither.
        init?(expiry: ContinuousClock.Instant?, end: ContinuousClock.Instant?) {
            guard let deadline = [expiry, end].compactMap({ $0 }).min() else { return nil }
            self.expiry = expiry
            self.deadline = deadline
        }
    }

    init(key: Key, value: Value, times: Times?, isLossy: Bool) {
        self.key = key
        self.value = value
        self.times = times
        self.isLossy = isLossy
    }
}

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
        /// The end of its freshness; nil for none.
        let end: ContinuousClock.Instant?
        /// The moment from which it is not to be served, here or anywhere; nil for none.
        let last: ContinuousClock.Instant?
        /// The first of its times.
        let deadline: ContinuousClock.Instant

        /// - Returns: nil if there is none.
        init?(expiry: ContinuousClock.Instant?, end: ContinuousClock.Instant?, last: ContinuousClock.Instant?) {
            guard let deadline = [expiry, end, last].compactMap({ $0 }).min() else { return nil }
            self.expiry = [expiry, last].compactMap { $0 }.min()
            (self.end, self.last) = (end, last)
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

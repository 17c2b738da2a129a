/// The order in which a ``MemoryCache`` evicts values when it is full.
public enum EvictionPolicy: Sendable, Hashable {
    /// Evicts by last use or by frequency, whichever has lately found more: the default.
    ///
    /// As long as what was used last is used again, it is ``leastRecentlyUsed`` exactly. Where long scans or loops push out what is used
    /// often, a new value has to be used more often than the one that it would replace; those that came last stay in any case.
    /// The cache learns from a sample of the keys which of the two suits it: for these it notes what each would have kept.
    case adaptive
    /// Evicts the value that has not been used for the longest time.
    ///
    /// The uses of one thread count in their order. Those of several threads are noted apart, and count a few dozen together: between them the
    /// order is nearly that of time.
    case leastRecentlyUsed
}

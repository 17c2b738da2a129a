import Synchronization

/// The one word that decides who delivers: outstanding demand, whether somebody is delivering, whether they have to
/// look again before they stop, and whether it is over.
///
/// Whoever finds the gate idle enters it and delivers (they are the *owner*); everybody else leaves their work where
/// the owner will find it and marks it as missed. The owner looks again before leaving. So signals are serialised
/// without holding a lock over user code, and recursion is bounded: a request made inside a delivery is missed work.
///
/// Once closed the gate never becomes idle again: either the closer becomes the last owner, or the present owner learns
/// of it on leaving; that one owner, and only that one, lets go of what the gate guards.
@usableFromInline
struct DemandGate: ~Copyable, Sendable {
    @usableFromInline static var closed: UInt { 1 << 63 }
    @usableFromInline static var owned: UInt { 1 << 62 }
    @usableFromInline static var missed: UInt { 1 << 61 }
    /// All ones means unlimited.
    @usableFromInline static var demandMask: UInt { (1 << 61) - 1 }

    @usableFromInline let word: Atomic<UInt>

    /// - Parameters:
    ///   - owned: Whether whoever makes it owns it from the start.
    ///   - isUnlimited: Whether it begins with unlimited demand: for what counts no demand, since that is what entering
    ///     and leaving are quickest at.
    @inlinable @inline(__always)
    init(owned: Bool = false, isUnlimited: Bool = false) {
        word = Atomic((owned ? Self.owned : 0) | (isUnlimited ? Self.demandMask : 0))
    }

    @inlinable @inline(__always)
    var isClosed: Bool {
        word.load(ordering: .acquiring) & Self.closed != 0
    }

    /// Whether the owner is going to look again anyway. Only the owner's own thread may rely on it.
    @inlinable @inline(__always)
    var isMissed: Bool {
        word.load(ordering: .relaxed) & Self.missed != 0
    }

    /// What has been requested and not yet been settled; `Int.max` when it is unlimited.
    @inlinable @inline(__always)
    var demand: Int {
        Self.demand(in: word.load(ordering: .acquiring))
    }

    @inlinable @inline(__always)
    static func demand(in word: UInt) -> Int {
        let demand = word & demandMask
        return demand == demandMask ? .max : Int(demand)
    }

    /// Whether there is demand for one more than was delivered.
    @inlinable @inline(__always)
    static func hasDemand(in word: UInt, beyond delivered: Int) -> Bool {
        // All ones, which mean unlimited, are more than will ever be delivered.
        word & demandMask > UInt(bitPattern: delivered)
    }

    @inlinable @inline(__always)
    static func adding(_ demand: Subscribers.Demand, to word: UInt) -> UInt {
        demand.added(to: word, in: demandMask)
    }

    /// Takes demand off a word that has so much; unlimited demand stays.
    @inlinable @inline(__always)
    static func taking(_ count: Int, from word: UInt) -> UInt {
        word & demandMask == demandMask ? word : word - UInt(count)
    }

    /// Enters an idle, open gate, and says what demand there was at that moment: demand that comes later belongs first
    /// to what was queued for want of it.
    ///
    /// It tries what is most likely before it looks: a load would have to wait for the atomic store before it.
    ///
    /// - Returns: The demand, `Int.max` when it is unlimited; nil when it was not entered.
    @inlinable @inline(__always)
    func tryEnter() -> Int? {
        let first = tryEnterUnlimited()
        return first.exchanged ? .max : tryEnter(from: first.original)
    }

    /// Enters an idle, open gate whose demand is unlimited.
    @inlinable @inline(__always)
    func tryEnterUnlimited() -> (exchanged: Bool, original: UInt) {
        word.compareExchange(
            expected: Self.demandMask, desired: Self.demandMask | Self.owned, successOrdering: .acquiring,
            failureOrdering: .relaxed)
    }

    @inlinable
    func tryEnter(from old: UInt) -> Int? {
        guard old & (Self.closed | Self.owned) == 0 else { return nil }
        let isEntered = word.compareExchange(
            expected: old, desired: old | Self.owned, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
        return isEntered ? Self.demand(in: old) : nil
    }

    /// Enters an idle, open gate with demand, whose word was looked at, and takes one off: what is delivered next.
    @inlinable
    func tryTake(from old: UInt) -> Bool {
        guard old & (Self.closed | Self.owned) == 0, old & Self.demandMask != 0 else { return false }
        return word.compareExchange(
            expected: old, desired: Self.taking(1, from: old) | Self.owned, successOrdering: .acquiring,
            failureOrdering: .relaxed
        ).exchanged
    }

    /// Takes demand off, whoever owns the gate.
    ///
    /// - Returns: How much there was of what was wanted.
    @inlinable
    func take(upTo count: Int) -> Int {
        var old = word.load(ordering: .relaxed)
        while true {
            let taken = Swift.min(count, Self.demand(in: old))
            let new = Self.taking(taken, from: old)
            if new == old { return taken }
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return taken }
            old = result.original
        }
    }

    /// Takes all demand off, unlimited demand too.
    @inlinable
    func takeAll() -> Subscribers.Demand {
        let demand = Self.demand(in: word.bitwiseAnd(~Self.demandMask, ordering: .acquiringAndReleasing).oldValue)
        return Subscribers.Demand(count: demand)
    }

    /// Adds demand, and nothing else: for the owner, who looks at it before leaving.
    @inlinable
    func add(_ demand: Subscribers.Demand) {
        var old = word.load(ordering: .relaxed)
        while true {
            let new = Self.adding(demand, to: old)
            if new == old { return }
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return }
            old = result.original
        }
    }

    /// Enters an idle gate; tells the owner of an owned one to look again.
    ///
    /// It writes a mark that is there already once more. To find it there and leave would lose work: the processor may
    /// do the load before what was queued is visible, and the owner take the mark, look and leave in between.
    ///
    /// - Returns: Whether the caller is the owner now.
    @inlinable
    func enterOrMark() -> Bool {
        var old = word.load(ordering: .relaxed)
        while true {
            if old & Self.closed != 0 { return false }
            let new = old & Self.owned == 0 ? old | Self.owned : old | Self.missed
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return old & Self.owned == 0 }
            old = result.original
        }
    }

    /// Adds demand, then does as `enterOrMark()`.
    @inlinable
    func request(_ demand: Subscribers.Demand) -> Bool {
        guard demand > .none else { return false }
        var old = word.load(ordering: .relaxed)
        while true {
            if old & Self.closed != 0 { return false }
            let added = Self.adding(demand, to: old)
            let new = old & Self.owned == 0 ? added | Self.owned : added | Self.missed
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return old & Self.owned == 0 }
            old = result.original
        }
    }

    /// What the owner does next.
    @usableFromInline
    enum Leave {
        /// Nothing was missed. The caller does not own it any more, unless it stays.
        case left
        /// Something was missed: look again.
        case again
        /// It was closed meanwhile: let go of everything. The caller owns it for ever.
        case closed
    }

    /// Settles what was delivered, adds what the deliveries asked for, and leaves unless something was missed.
    ///
    /// It tries what is most likely before it looks, as `tryEnter()` does.
    @inlinable @inline(__always)
    func leave(delivered: Int = 0, adding extra: Subscribers.Demand = .none) -> Leave {
        let first = leaveUnlimited()
        return first.exchanged ? .left : leave(from: first.original, delivered: delivered, adding: extra)
    }

    /// Leaves if nothing was missed and demand is unlimited, so that there is nothing to settle.
    @inlinable @inline(__always)
    func leaveUnlimited() -> (exchanged: Bool, original: UInt) {
        word.compareExchange(
            expected: Self.owned | Self.demandMask, desired: Self.demandMask, successOrdering: .acquiringAndReleasing,
            failureOrdering: .relaxed)
    }

    /// Settles as `leave(delivered:adding:)` does, and stays unless it was closed.
    @inlinable
    func stay(delivered: Int) -> Leave {
        leave(from: word.load(ordering: .relaxed), delivered: delivered, adding: .none, isStaying: true)
    }

    @inlinable
    func leave(
        from original: UInt, delivered: Int, adding extra: Subscribers.Demand, isStaying: Bool = false
    ) -> Leave {
        var old = original
        while true {
            if old & Self.closed != 0 { return .closed }
            var new = old & ~Self.missed
            let demand = new & Self.demandMask
            if demand != Self.demandMask { new -= Swift.min(UInt(delivered), demand) }
            if extra.count != 0 { new = Self.adding(extra, to: new) }
            if old & Self.missed == 0, !isStaying { new &= ~Self.owned }
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return old & Self.missed == 0 ? .left : .again }
            old = result.original
        }
    }

    /// Closes it.
    ///
    /// - Returns: Whether the caller is the last owner, who lets go of everything: the gate was idle. When it was owned,
    ///   the owner learns of it on leaving.
    @inlinable
    func close() -> Bool {
        let old = word.bitwiseOr(Self.closed | Self.owned, ordering: .acquiringAndReleasing).oldValue
        return old & (Self.closed | Self.owned) == 0
    }

    /// Closes it as its owner.
    ///
    /// - Returns: Whether it was open: whoever closes it is the one to deliver the completion.
    @inlinable
    func closeAsOwner() -> Bool {
        word.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue & Self.closed == 0
    }
}

import Synchronization

/// Where a subscriber keeps its upstream's subscription: it may be cancelled or asked for values before that arrives.
///
/// It is not generic, so that its bookkeeping is compiled once, and is itself the subscription that an operator can
/// hand downstream. One word decides everything; no lock is taken.
///
/// Unchecked because of `subscription`. It is written by the one that has set `taken`, before `arrived` is published.
/// It is read by those who are counted as its users, and by the one that has set `ended`. Nobody becomes a user after
/// that; the last user then, or the one that ended it if there is none, clears it.
@usableFromInline
class UpstreamSlot: Subscription, @unchecked Sendable {
    /// It was cancelled or has seen the completion.
    @usableFromInline static var ended: UInt { 1 << 63 }
    /// A subscription has come; a second one is refused.
    private static var taken: UInt { 1 << 62 }
    /// The subscription may be used.
    private static var arrived: UInt { 1 << 61 }
    /// It was cancelled after its end: perhaps while that is on its way downstream.
    private static var left: UInt { 1 << 60 }
    /// Each value is to be told of.
    @usableFromInline static var watched: UInt { 1 << 59 }
    /// Before the arrival: the demand so far, all ones for unlimited. After it: how many are using the subscription.
    private static var countMask: UInt { (1 << 59) - 1 }

    @usableFromInline final let word = Atomic<UInt>(0)
    @exclusivity(unchecked) private final var subscription: (any Subscription)?

    @usableFromInline
    init() {}

    /// Whether it was cancelled or has seen the completion.
    @inlinable @inline(__always)
    final var isDone: Bool {
        word.load(ordering: .acquiring) & Self.ended != 0
    }

    /// Returns whether a value is still to be passed on; a slot that watches its upstream notes the value.
    @inlinable @inline(__always)
    final func admitsValue() -> Bool {
        let word = word.load(ordering: .acquiring)
        if word & (Self.ended | Self.watched) == 0 { return true }
        if word & Self.ended != 0 { return false }
        noteValue()
        return true
    }

    /// A value has come while the slot watches.
    @usableFromInline
    func noteValue() {}

    final func watch(_ isWatching: Bool) {
        if isWatching {
            word.bitwiseOr(Self.watched, ordering: .acquiringAndReleasing)
        } else {
            word.bitwiseAnd(~Self.watched, ordering: .acquiringAndReleasing)
        }
    }

    /// Takes the subscription and passes on the demand that came before it.
    ///
    /// - Returns: False when it was refused and therefore cancelled: the slot was done, or had one (rule 2.5).
    @usableFromInline
    final func receive(_ subscription: any Subscription) -> Bool {
        guard change({ $0 & (Self.ended | Self.taken) == 0 ? $0 | Self.taken : nil }) != nil else {
            subscription.cancel()
            return false
        }
        self.subscription = subscription
        guard let old = change({ $0 & Self.ended == 0 ? Self.taken | Self.arrived : nil }) else {
            self.subscription = nil
            subscription.cancel()
            return false
        }
        let early = old & Self.countMask
        if early != 0 { subscription.request(early == Self.countMask ? .unlimited : .max(Int(early))) }
        return true
    }

    /// Keeps demand for an upstream that hasn't come yet.
    ///
    /// - Returns: False when it has come.
    final func keepEarly(_ demand: Subscribers.Demand) -> Bool {
        let isKept =
            change { old in
                old & (Self.ended | Self.arrived) != 0 ? nil : demand.added(to: old, in: Self.countMask)
            } != nil
        return isKept || isDone
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        if demand > .none, !keepEarly(demand) { pass(demand) }
    }

    /// Requests of an upstream that has come.
    final func pass(_ demand: Subscribers.Demand) {
        guard enter() else { return }
        subscription?.request(demand)
        leave()
    }

    @usableFromInline
    func cancel() {
        if isDone {
            word.bitwiseOr(Self.left, ordering: .acquiringAndReleasing)
        } else {
            end().subscription?.cancel()
        }
    }

    /// Marks the end of the stream and lets go of the subscription, without cancelling it.
    ///
    /// - Returns: Whether this call was the first to end it: that caller may deliver the completion.
    @usableFromInline
    final func finish() -> Bool {
        end().isFirst
    }

    /// Ends it like `finish()` and cancels the upstream: for an operator that ends before its upstream does.
    ///
    /// - Returns: Whether this call was the first to end it, and the subscriber hasn't cancelled meanwhile.
    @usableFromInline
    final func cancelFirst() -> Bool {
        let end = end()
        end.subscription?.cancel()
        return end.isFirst && word.load(ordering: .acquiring) & Self.left == 0
    }

    /// Ends it and takes the subscription out; the caller decides what becomes of that.
    @usableFromInline
    final func end() -> (isFirst: Bool, subscription: (any Subscription)?) {
        // Beside other users the one that ends it counts as one of them.
        let old = change { old in
            if old & Self.ended != 0 { return nil }
            return (old | Self.ended) + (old & Self.arrived != 0 && old & Self.countMask != 0 ? 1 : 0)
        }
        guard let old else { return (false, nil) }
        guard old & Self.arrived != 0 else { return (true, nil) }
        guard old & Self.countMask != 0 else { return (true, subscription.take()) }
        let subscription = subscription
        leave()
        return (true, subscription)
    }

    /// Becomes a user of the subscription, unless it hasn't arrived or is over.
    private final func enter() -> Bool {
        change { $0 & (Self.ended | Self.arrived) == Self.arrived ? $0 + 1 : nil } != nil
    }

    private final func leave() {
        let new = word.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        if new & Self.ended != 0, new & Self.countMask == 0 { subscription = nil }
    }

    /// Replaces the word by what is made of it.
    ///
    /// - Returns: The word before; nil when there was nothing to replace it by.
    @inline(__always)
    private final func change(_ transform: (UInt) -> UInt?) -> UInt? {
        var old = word.load(ordering: .acquiring)
        while let new = transform(old) {
            let result = word.compareExchange(
                expected: old, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
            if result.exchanged { return old }
            old = result.original
        }
        return nil
    }
}

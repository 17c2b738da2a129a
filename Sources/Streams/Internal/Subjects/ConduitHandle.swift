import Synchronization

/// The subscription that a subject hands out: the demand of one subscriber, and its place in the subject's registry.
///
/// It doesn't know the conduit, and so not the subscriber either: whoever keeps a subscription keeps nothing but this
/// and an empty subject (rule 3.13).
///
/// Unchecked because of two variables: `index`, which is read and written under the registry's lock, and `seen`,
/// which only the owner of the subject's gate touches.
@usableFromInline
final class ConduitHandle: Subscription, @unchecked Sendable {
    /// Cancelled or completed: nothing may be delivered.
    @usableFromInline static var ended: UInt { 1 << 63 }
    /// It has been admitted: from now on a request is the subject's business.
    @usableFromInline static var admitted: UInt { 1 << 62 }
    /// All ones means unlimited.
    @usableFromInline static var demandMask: UInt { (1 << 62) - 1 }

    @usableFromInline let word = Atomic<UInt>(0)
    let subject: SubjectBase
    @exclusivity(unchecked) var index = -1
    /// The newest version of a subject's current value that it has been given.
    @exclusivity(unchecked) @usableFromInline var seen = 0

    @usableFromInline
    init(_ subject: SubjectBase) {
        self.subject = subject
    }

    @inlinable @inline(__always)
    var isEnded: Bool {
        word.load(ordering: .acquiring) & Self.ended != 0
    }

    /// Whether what is left to deliver is everything or one of a count.
    @usableFromInline
    enum Permit {
        case none, counted, unlimited
    }

    /// Takes one off the demand; one load when it is unlimited.
    @inlinable @inline(__always)
    func take() -> Permit {
        let now = word.load(ordering: .acquiring)
        if now & (Self.ended | Self.demandMask) == Self.demandMask { return .unlimited }
        return takeCounted(now)
    }

    @usableFromInline
    func takeCounted(_ now: UInt) -> Permit {
        var old = now
        while true {
            if old & Self.ended != 0 || old & Self.demandMask == 0 { return .none }
            if old & Self.demandMask == Self.demandMask { return .unlimited }
            let result = word.compareExchange(
                expected: old, desired: old - 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return .counted }
            old = result.original
        }
    }

    /// Adds demand.
    ///
    /// - Returns: The word before, or nil when it has ended.
    @usableFromInline @discardableResult
    func add(_ demand: Subscribers.Demand) -> UInt? {
        var old = word.load(ordering: .relaxed)
        while true {
            if old & Self.ended != 0 { return nil }
            let result = word.compareExchange(
                expected: old, desired: demand.added(to: old, in: Self.demandMask),
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged { return old }
            old = result.original
        }
    }

    /// - Returns: The word before. In one word with the demand, so that a request at the same time is seen by one of the
    ///   two.
    func admit() -> UInt {
        word.bitwiseOr(Self.admitted, ordering: .acquiringAndReleasing).oldValue
    }

    /// - Returns: Whether this call ended it: that caller may deliver the completion, or takes it out of the registry.
    @usableFromInline
    func end() -> Bool {
        word.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue & Self.ended == 0
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, let old = add(demand), old & Self.admitted != 0 else { return }
        subject.requested(self)
    }

    @usableFromInline
    func cancel() {
        if end() { subject.remove(self) }
    }
}

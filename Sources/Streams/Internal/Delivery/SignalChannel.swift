import Synchronization

/// What one upstream's serial signals leave for the one who drains: values in order, and the end.
///
/// Each has a turn, which says what came first where several channels are joined: the turns of one channel grow. A signal
/// that came when nothing was waiting has the turn 0, and is taken before anything else gets one.
///
/// Unchecked because of its two ends: `inlet`, `completion` and `endTurn` are the producer's, `outlet` is the consumer's, and
/// the end is read only after `hasEnded` was seen.
@usableFromInline
final class SignalChannel<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline typealias Entry = (turn: UInt, value: Value)

    @exclusivity(unchecked) @usableFromInline var outlet: SignalOutlet<Entry>
    /// The consumer's: the newest value that it has taken, where it keeps that.
    @exclusivity(unchecked) @usableFromInline var latest: Value?
    /// Keeps what one thread writes for each value out of the cache lines that the other reads.
    @usableFromInline let distance = (SIMD8<UInt>.zero, SIMD8<UInt>.zero)
    @exclusivity(unchecked) @usableFromInline var inlet: SignalInlet<Entry>
    @usableFromInline let hasEnded = Atomic(false)
    @exclusivity(unchecked) @usableFromInline var completion = Subscribers.Completion<Failure>.finished
    @exclusivity(unchecked) @usableFromInline var endTurn: UInt = 0

    @inlinable
    init() {
        let chunk = SignalChunk<Entry>(capacity: 8)
        outlet = SignalOutlet(chunk)
        inlet = SignalInlet(chunk)
    }

    deinit {
        outlet.removeAll()
    }

    /// As the producer.
    @inlinable @inline(__always)
    func append(_ value: Value, turn: UInt = 0) {
        inlet.append((turn, value))
    }

    /// As the producer.
    @inlinable
    func finish(_ completion: Subscribers.Completion<Failure>, turn: UInt = 0) {
        self.completion = completion
        endTurn = turn
        hasEnded.store(true, ordering: .releasing)
    }

    /// As the consumer: whether there is a value.
    @inlinable @inline(__always)
    var hasValue: Bool { outlet.hasMore() }

    /// As the consumer: the turn of the first value; nil when there is none.
    @inlinable @inline(__always)
    var firstTurn: UInt? { hasValue ? (outlet.chunk.elements + outlet.taken).pointee.turn : nil }

    /// As the consumer of both: whether the first value of the two is this one's.
    @inlinable @inline(__always)
    func comes<Other, OtherFailure>(before other: SignalChannel<Other, OtherFailure>) -> Bool {
        if let turn = firstTurn { return other.firstTurn.map { turn <= $0 } ?? true }
        // A value that came before the other's may have been looked for before it was there.
        guard let theirs = other.firstTurn, theirs != 0, let turn = firstTurn else { return false }
        return turn < theirs
    }

    /// As the consumer of both: whether it has ended, and that before the other's first value came, or its end.
    @inlinable
    func ends<Other, OtherFailure>(before other: SignalChannel<Other, OtherFailure>) -> Bool {
        isExhausted && (other.firstTurn.map { endTurn < $0 } ?? (!other.isExhausted || endTurn <= other.endTurn))
    }

    /// As the consumer: whether it has ended and no value is left.
    @inlinable
    var isExhausted: Bool {
        // In this order: what came before the end is there when the end is seen.
        hasEnded.load(ordering: .acquiring) && !hasValue
    }

    /// As the consumer: whether it has finished and no value is left.
    @inlinable
    var isFinished: Bool { isExhausted && failure == nil }

    /// As the consumer: whether it has finished without ever having had a value.
    @inlinable
    var isMute: Bool { latest == nil && isFinished }

    /// As the consumer: the failure that it has ended with.
    @inlinable
    var failure: Failure? {
        guard hasEnded.load(ordering: .acquiring), case .failure(let failure) = completion else { return nil }
        return failure
    }
}

extension SignalChannel {
    /// As the consumer: takes the first value.
    @inlinable @inline(__always)
    func popFirst() -> Value? { outlet.popFirst()?.value }

    /// As the consumer: the newest value that it has taken.
    @inlinable @inline(__always)
    func kept() throws(NoValue) -> Value {
        guard let latest else { throw NoValue() }
        return latest
    }

    /// As the consumer: takes the first value and keeps it.
    @inlinable @inline(__always)
    func takeLatest() -> Bool {
        guard let value = popFirst() else { return false }
        latest = value
        return true
    }

    /// As the consumer: takes the first value, which `hasValue` has found there.
    @inlinable @inline(__always)
    func takeKnown() -> Value { outlet.takeKnown().value }
}

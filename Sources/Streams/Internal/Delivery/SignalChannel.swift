import Synchronization

/// What one upstream's serial signals leave for the one who drains: values in order, and the end.
///
/// Unchecked because of its two ends: `inlet` and `completion` are the producer's, `outlet` is the consumer's, and
/// `completion` is read only after `hasEnded` was seen.
@usableFromInline
final class SignalChannel<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var outlet: SignalOutlet<Value>
    /// The consumer's: the newest value that it has taken, where it keeps that.
    @exclusivity(unchecked) @usableFromInline var latest: Value?
    /// Keeps what one thread writes for each value out of the cache lines that the other reads.
    @usableFromInline let distance = (SIMD8<UInt>.zero, SIMD8<UInt>.zero)
    @exclusivity(unchecked) @usableFromInline var inlet: SignalInlet<Value>
    @usableFromInline let hasEnded = Atomic(false)
    @exclusivity(unchecked) @usableFromInline var completion = Subscribers.Completion<Failure>.finished

    @inlinable
    init() {
        let chunk = SignalChunk<Value>(capacity: 8)
        outlet = SignalOutlet(chunk)
        inlet = SignalInlet(chunk)
    }

    deinit {
        outlet.removeAll()
    }

    /// As the producer.
    @inlinable
    func finish(_ completion: Subscribers.Completion<Failure>) {
        self.completion = completion
        hasEnded.store(true, ordering: .releasing)
    }

    /// As the consumer: whether there is a value.
    @inlinable @inline(__always)
    var hasValue: Bool { outlet.taken < outlet.known || outlet.lookForMore() }

    /// As the consumer: whether it has ended and no value is left.
    @inlinable
    var isExhausted: Bool {
        // In this order: what came before the end is there when the end is seen.
        hasEnded.load(ordering: .acquiring) && !hasValue
    }

    /// As the consumer: whether it has ended without ever having had a value.
    @inlinable
    var isMute: Bool { latest == nil && isExhausted }

    /// As the consumer: the failure that it has ended with.
    @inlinable
    var failure: Failure? {
        guard hasEnded.load(ordering: .acquiring), case .failure(let failure) = completion else { return nil }
        return failure
    }
}

extension SignalChannel {
    /// As the consumer: the newest value that it has taken.
    @inlinable @inline(__always)
    func kept() throws(NoValue) -> Value {
        guard let latest else { throw NoValue() }
        return latest
    }

    /// As the consumer: takes the first value and keeps it.
    @inlinable @inline(__always)
    func takeLatest() -> Bool {
        guard let value = outlet.popFirst() else { return false }
        latest = value
        return true
    }

    /// As the consumer: takes the first value.
    @inlinable @inline(__always)
    func takeFirst() throws(NoValue) -> Value {
        guard let value = outlet.popFirst() else { throw NoValue() }
        return value
    }
}

import Synchronization

/// One subscriber of `receive(on:)`: queues what the upstream delivers and hands over a whole burst with one scheduled
/// drain, so values stay in order on any scheduler.
///
/// `work` counts what has happened since the drain last looked. Whoever raises it from zero makes the drain run, and it
/// runs until it has brought it back to zero: so there is one drain at a time. A value costs that one counting and the
/// store that publishes it.
///
/// Unchecked because of the two ends of the queue: `inlet` and `completion` belong to the upstream's serial signals,
/// `outlet` and `holder` to the drain; `completion` is read after `hasEnded` was seen.
@usableFromInline
final class ReceiveOnCore<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    /// How many values the drain delivers in one turn on the scheduler, before it lets others have theirs.
    @usableFromInline static var turn: Int { 4096 }

    private typealias Words = SIMD4<UInt>

    // What the drain touches for each value.
    @exclusivity(unchecked) @usableFromInline var outlet: SignalOutlet<Output>
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<SubscriberBox<AnySubscriber<Output, Failure>>>?
    @usableFromInline let isCancelled = Atomic(false)
    @usableFromInline let upstream = UpstreamSlot()
    @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// How the drain goes on after a turn.
    @usableFromInline let resume: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Keeps what one thread writes for each value out of the cache lines that the other reads.
    private let distance = (Words.zero, Words.zero, Words.zero, Words.zero)
    // What the producer touches for each value.
    @exclusivity(unchecked) @usableFromInline var inlet: SignalInlet<Output>
    /// One from the start, until the subscription has been delivered.
    @usableFromInline let work = Atomic(1)
    @usableFromInline let hasEnded = Atomic(false)
    @exclusivity(unchecked) @usableFromInline var completion = Subscribers.Completion<Failure>.finished

    /// - Parameter resume: How the drain goes on after a turn; nil where `schedule` always lets others have theirs.
    @inlinable
    init(
        _ downstream: AnySubscriber<Output, Failure>,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        resume: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        let chunk = SignalChunk<Output>(capacity: 8)
        outlet = SignalOutlet(chunk)
        inlet = SignalInlet(chunk)
        holder = .passRetained(SubscriberBox(downstream))
        self.schedule = schedule
        self.resume = resume ?? schedule
    }

    deinit {
        outlet.removeAll()
        holder?.release()
    }

    @inlinable
    func start(_ subscription: any Subscription) {
        guard upstream.receive(subscription) else { return }
        holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(subscription: self) }
        guard work.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 else { return }
        if isCancelled.load(ordering: .acquiring) { drain() } else { schedule { self.drain() } }
    }

    @inlinable @inline(__always)
    func push(_ value: Output) {
        guard !upstream.isDone else { return }
        inlet.append(value)
        signal()
    }

    @inlinable
    func push(completion: Subscribers.Completion<Failure>) {
        guard upstream.finish() else { return }
        self.completion = completion
        hasEnded.store(true, ordering: .releasing)
        signal()
    }

    @inlinable @inline(__always)
    func signal() {
        if work.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 { schedule { self.drain() } }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        upstream.request(demand)
    }

    /// The drain lets go of everything, here and now if it isn't running.
    @inlinable
    func cancel() {
        guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        upstream.cancel()
        if work.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 { drain() }
    }

    @inlinable
    func drain() {
        var seen = work.load(ordering: .acquiring)
        while seen > 0 {
            guard deliver() else { return resume { self.drain() } }
            seen = work.wrappingSubtract(seen, ordering: .acquiringAndReleasing).newValue
        }
    }

    /// Delivers what is there.
    ///
    /// - Returns: False when there is more than one turn's worth.
    @inlinable
    func deliver() -> Bool {
        let hasEnded = hasEnded.load(ordering: .acquiring)
        var remaining = Self.turn
        while let holder, !isCancelled.load(ordering: .acquiring) {
            if remaining == 0 { return false }
            remaining -= 1
            if let value = outlet.popFirst() {
                let more = holder._withUnsafeGuaranteedRef { $0.subscriber.receive(value) }
                if more.count != 0 { upstream.request(more) }
            } else if hasEnded {
                self.holder = nil
                holder._withUnsafeGuaranteedRef { $0.subscriber.receive(completion: completion) }
                holder.release()
            } else {
                return true
            }
        }
        outlet.removeAll()
        holder.take()?.release()
        return true
    }
}

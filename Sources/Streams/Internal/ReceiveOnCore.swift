import Synchronization

/// One subscriber of `receive(on:)`: queues what the upstream delivers and hands over a whole burst with one scheduled
/// drain. The drain owns the gate while it runs, so values stay in order on any scheduler.
///
/// Unchecked because of `holder`, which only the owner of the gate touches.
@usableFromInline
final class ReceiveOnCore<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    @usableFromInline typealias Holder = EmitterCore<Output, Failure>.Holder

    /// Owned until the subscription has been delivered: no value comes during it, and a cancel in it frees nothing yet.
    @usableFromInline let gate = DemandGate(owned: true)
    @usableFromInline let upstream = UpstreamSlot()
    @usableFromInline let queue = Mutex(Queue())
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<Holder>?
    @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    @usableFromInline
    struct Queue: Sendable {
        @usableFromInline var values: [Output] = []
        @usableFromInline var completion: Subscribers.Completion<Failure>?

        @inlinable
        init() {}
    }

    @inlinable
    init(
        _ downstream: AnySubscriber<Output, Failure>,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        holder = .passRetained(Holder(downstream))
        self.schedule = schedule
    }

    deinit {
        holder?.release()
    }

    @inlinable
    func start(_ subscription: any Subscription) {
        guard upstream.receive(subscription) else { return }
        holder?._withUnsafeGuaranteedRef { $0.downstream.receive(subscription: self) }
        switch gate.leave() {
        case .left: break
        case .again: schedule { self.drain() }
        case .closed: release()
        }
    }

    @inlinable @inline(__always)
    func push(_ value: Output) {
        guard !gate.isClosed else { return }
        queue.withLock { $0.values.append(value) }
        if gate.enterOrMark() { schedule { self.drain() } }
    }

    @inlinable
    func push(completion: Subscribers.Completion<Failure>) {
        guard upstream.finish() else { return }
        queue.withLock { $0.completion = completion }
        if gate.enterOrMark() { schedule { self.drain() } }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        upstream.request(demand)
    }

    @inlinable
    func cancel() {
        let isLastOwner = gate.close()
        upstream.cancel()
        if isLastOwner { release() }
    }

    @inlinable
    func drain() {
        guard let holder else { return }
        while true {
            let burst = queue.withLock { queue in
                defer {
                    queue.values = []
                    queue.completion = nil
                }
                return queue
            }
            for value in burst.values {
                if gate.isClosed { break }
                let more = holder._withUnsafeGuaranteedRef { $0.downstream.receive(value) }
                if more.count != 0 { upstream.request(more) }
            }
            if let completion = burst.completion {
                if gate.closeAsOwner() {
                    holder._withUnsafeGuaranteedRef { $0.downstream.receive(completion: completion) }
                }
                return release()
            }
            switch gate.leave() {
            case .left: return
            case .again: break
            case .closed: return release()
            }
        }
    }

    @inlinable
    func release() {
        let left = queue.withLock { queue in
            defer { queue = Queue() }
            return queue
        }
        withExtendedLifetime(left) {}
        holder.take()?.release()
    }
}

import Synchronization

/// A part of a stream that is a publisher of its own: a group of `groupBy`, or a window.
///
/// Values that come before its first subscriber wait for that one; later subscribers begin with the next value. For each of
/// them the strategy decides about values that it has not requested. When the last one leaves, the part is over.
@usableFromInline
final class StreamPart<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Core = EmitterCore<Output, Failure>

    @usableFromInline
    struct State: Sendable {
        /// One for each subscriber, and one for the first while that is awaited.
        @usableFromInline var cores: [Core]
        @usableFromInline var isAwaited = true
        @usableFromInline var end: Subscribers.Completion<Failure>?

        @inlinable
        init(_ first: Core) {
            cores = [first]
        }
    }

    @usableFromInline let state: Mutex<State>
    @usableFromInline let strategy: BackpressureStrategy<Failure>

    @inlinable
    init(_ strategy: BackpressureStrategy<Failure>) {
        self.strategy = strategy
        state = Mutex(State(Core(strategy: strategy)))
    }

    deinit {
        // Nothing will come any more: its subscribers are let go of.
        for core in state.withLock({ $0.cores }) { core.cancel() }
    }

    /// - Returns: Whether it was still to be sent to.
    @inlinable
    func send(_ value: Output) -> Bool {
        guard let cores = state.withLock({ $0.end == nil ? $0.cores : nil }) else { return false }
        for core in cores { core.send(value) }
        return true
    }

    @inlinable
    func send(completion: Subscribers.Completion<Failure>) {
        let cores = state.withLock { state in
            guard state.end == nil else { return [Core]() }
            state.end = completion
            defer { if !state.isAwaited { state.cores = [] } }
            return state.cores
        }
        for core in cores { core.send(completion: completion) }
    }

    @inlinable
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        let (core, end) = state.withLock { state -> (Core?, Subscribers.Completion<Failure>?) in
            if state.isAwaited {
                state.isAwaited = false
                defer { if state.end != nil { state.cores = [] } }
                return (state.cores.first, nil)
            }
            if let end = state.end { return (nil, end) }
            let core = Core(strategy: strategy)
            state.cores.append(core)
            return (core, nil)
        }
        if let core {
            core.resource.set(Disposable { [weak self, key = ObjectIdentifier(core)] in self?.leave(key) })
            core.begin(subscriber)
        } else if let end {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: end)
        }
    }

    /// Nobody can subscribe to it any more: what waits for a first subscriber waits in vain.
    @inlinable
    func abandon() {
        let unclaimed = state.withLock { state in
            guard state.isAwaited else { return [Core]() }
            defer {
                state.isAwaited = false
                state.cores = []
            }
            return state.cores
        }
        withExtendedLifetime(unclaimed) {}
    }

    @inlinable
    func leave(_ key: ObjectIdentifier) {
        let left = state.withLock { state -> Core? in
            guard let index = state.cores.firstIndex(where: { ObjectIdentifier($0) == key }) else { return nil }
            defer { if state.cores.isEmpty, state.end == nil { state.end = .finished } }
            return state.cores.remove(at: index)
        }
        withExtendedLifetime(left) {}
    }
}

/// A handle by which subscribers find a part: when the last copy is gone without a subscriber, nothing is kept for one.
@usableFromInline
final class StreamPartHandle<Output: Sendable, Failure: Error>: Publisher {
    @usableFromInline let part: StreamPart<Output, Failure>

    @inlinable
    init(_ part: StreamPart<Output, Failure>) {
        self.part = part
    }

    deinit {
        part.abandon()
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        part.attach(AnySubscriber(subscriber))
    }
}

import Streams
import Synchronization

/// One body on its way, and those who read it: each at a pace of its own, whoever joins from its first byte on.
///
/// Bytes that have arrived are kept until all have read them, and for those who may still join as long as the source's room lasts. The upstream is asked for what
/// the fastest reader wants, unless the slowest is too far behind.
final class SharedBody: Sendable {
    private struct Reader: Sendable {
        let downstream: AnySubscriber<DataEvent, LoadError>
        var demand = Subscribers.Demand.none
        /// Of the next chunk.
        var position = 0
        /// Of the response that it has got.
        var generation = 0
        /// Somebody delivers, and will look again. So it begins, until the subscription has been delivered.
        var isDelivering = true
    }

    private struct State: Sendable {
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var response: DataResponse?
        /// Counts responses: a further one brings the body anew.
        var generation = 0
        var chunks: [[UInt8]] = []
        /// The number of chunks that are no longer kept.
        var dropped = 0
        /// Whether chunks are kept for who may join.
        var keeps = true
        var keptBytes = 0
        var completion: Subscribers.Completion<LoadError>?
        var subscription: (any Subscription)?
        /// Events that the upstream has been asked for and that have not come.
        var asked = 0
        var isClosed = false
        var isOver = false

        var end: Int { dropped + chunks.count }
        /// The chunk that the slowest reader gets next; one that a further response has overtaken begins anew.
        var slowest: Int {
            readers.values.lazy.map { $0.generation < self.generation ? 0 : $0.position }.min() ?? end
        }

        mutating func enter(_ id: Int) -> Bool {
            guard let reader = readers[id], !reader.isDelivering else { return false }
            readers[id]?.isDelivering = true
            return true
        }

        /// Readers that nobody delivers to; the caller does now.
        mutating func idleReaders() -> [Int] {
            let ids = readers.filter { !$0.value.isDelivering }.keys.sorted()
            for id in ids { readers[id]?.isDelivering = true }
            return ids
        }

        /// Events that the fastest reader wants beyond those that are there.
        var wanted: Int {
            readers.values.reduce(0) { most, reader in
                let there = generation > reader.generation ? chunks.count + 1 : end - reader.position
                return max(most, reader.demand.max.map { $0 - there } ?? .max)
            }
        }
    }

    private enum Step: Sendable {
        case event(DataEvent)
        case end(Subscribers.Completion<LoadError>)
    }

    /// Events asked for at a time.
    private static let window = 8
    /// Bytes that the slowest reader may be behind.
    private static let queueBytes = 1 << 20

    let priority: SharedPriority
    private let room: KeptBytes
    private let state = Mutex(State())

    /// - Parameter room: for what is kept of all bodies of a source.
    init(priority: LoadPriority.Level, room: KeptBytes) {
        self.priority = SharedPriority(priority)
        self.room = room
    }

    deinit { room.free(state.withLock { $0.keptBytes }) }

    // MARK: Readers

    /// - Returns: the reader's subscription; nil where the body's beginning is no longer there.
    func join(_ downstream: AnySubscriber<DataEvent, LoadError>) -> Int? {
        state.withLock { state in
            guard !state.isOver, !state.isClosed, state.dropped == 0 else { return nil }
            state.readers[state.nextReader] = Reader(downstream: downstream)
            state.nextReader += 1
            return state.nextReader - 1
        }
    }

    /// Delivers what there is to a reader who has got its subscription.
    func deliver(to id: Int) {
        drain(id)
        ask()
    }

    func request(_ demand: Subscribers.Demand, for id: Int) {
        let isIdle = state.withLock { state in
            state.readers[id]?.demand += demand
            return state.enter(id)
        }
        if isIdle { drain(id) }
        ask()
    }

    /// - Returns: whether that was the last one, and the body is not needed any more.
    func leave(_ id: Int) -> Bool {
        let (reader, subscription, isLast) = state.withLock { state in
            let reader = state.readers.removeValue(forKey: id)
            guard reader != nil, state.readers.isEmpty, state.completion == nil, !state.isOver else {
                return (reader, (any Subscription)?.none, false)
            }
            state.isOver = true
            return (reader, state.subscription.take(), true)
        }
        withExtendedLifetime(reader) {}
        subscription?.cancel()
        if !isLast { ask() }
        return isLast
    }

    private func drain(_ id: Int) {
        while let (downstream, step) = state.withLock({ next(for: id, &$0) }) {
            switch step {
            case .event(let event):
                let more = downstream.receive(event)
                if more > .none { state.withLock { $0.readers[id]?.demand += more } }
            case .end(let completion):
                downstream.receive(completion: completion)
                return
            }
        }
    }

    private func next(
        for id: Int, _ state: inout State
    ) -> (AnySubscriber<DataEvent, LoadError>, Step)? {
        guard var reader = state.readers[id] else { return nil }
        defer { if state.readers[id] != nil { state.readers[id] = reader } }
        if reader.generation < state.generation || reader.position < state.end {
            guard reader.demand > .none else {
                reader.isDelivering = false
                return nil
            }
            reader.demand -= 1
            if reader.generation < state.generation, let response = state.response {
                (reader.generation, reader.position) = (state.generation, 0)
                return (reader.downstream, .event(.response(response)))
            }
            let chunk = state.chunks[reader.position - state.dropped]
            reader.position += 1
            state.readers[id] = reader
            trim(&state)
            return (reader.downstream, .event(.chunk(chunk)))
        }
        guard let completion = state.completion else {
            reader.isDelivering = false
            return nil
        }
        state.readers[id] = nil
        return (reader.downstream, .end(completion))
    }

    // MARK: The upstream

    /// No one joins any more, though the load goes on: what it brings is of no use.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    fileprivate func start(_ subscription: any Subscription) {
        let isWanted = state.withLock { state in
            if !state.isOver { state.subscription = subscription }
            return !state.isOver
        }
        if isWanted { ask() } else { subscription.cancel() }
    }

    fileprivate func receive(_ event: DataEvent) {
        let (idle, replaced) = state.withLock { state -> ([Int], DataResponse?) in
            let old = state.response
            state.asked -= 1
            switch event {
            case .response(var response):
                if let discard = response.discard {
                    response.discard = { [weak self] in
                        self?.close()
                        return discard()
                    }
                }
                state.response = response
                state.generation += 1
                (state.chunks, state.dropped) = ([], 0)
                room.free(state.keptBytes)
                state.keptBytes = 0
            case .chunk(let bytes):
                state.chunks.append(bytes)
                state.keptBytes += bytes.count
                if !room.take(bytes.count) { state.keeps = false }
                trim(&state)
            }
            return (state.idleReaders(), old)
        }
        withExtendedLifetime(replaced) {}
        for id in idle { drain(id) }
        ask()
    }

    fileprivate func receive(completion: Subscribers.Completion<LoadError>) {
        let idle = state.withLock { state in
            state.completion = completion
            state.subscription = nil
            state.keeps = false
            trim(&state)
            return state.idleReaders()
        }
        for id in idle { drain(id) }
    }

    /// Lets go of chunks that all have read, unless they are kept.
    private func trim(_ state: inout State) {
        guard !state.keeps else { return }
        let count = max(0, state.slowest - state.dropped)
        guard count > 0 else { return }
        let bytes = state.chunks.prefix(count).reduce(0) { $0 + $1.count }
        state.chunks.removeFirst(count)
        state.dropped += count
        state.keptBytes -= bytes
        room.free(bytes)
    }

    private func ask() {
        let (subscription, count) = state.withLock { state -> ((any Subscription)?, Int) in
            guard state.asked == 0, state.completion == nil, let subscription = state.subscription else {
                return (nil, 0)
            }
            let behind = state.chunks[max(0, state.slowest - state.dropped)...].reduce(0) { $0 + $1.count }
            guard behind < Self.queueBytes else { return (nil, 0) }
            state.asked = min(state.wanted, Self.window)
            return (subscription, state.asked)
        }
        if count > 0 { subscription?.request(.max(count)) }
    }
}

/// Feeds a shared body.
struct SharedBodyFeed: Subscriber {
    let body: SharedBody
    /// Called when the body has come to its end.
    let onEnd: @Sendable () -> Void

    func receive(subscription: any Subscription) { body.start(subscription) }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        body.receive(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        onEnd()
        body.receive(completion: completion)
    }
}

/// The bytes that all bodies of a source keep, within a limit.
final class KeptBytes: Sendable {
    private let limit: Int
    private let kept = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts bytes in any case.
    ///
    /// - Returns: whether they are within the limit.
    func take(_ count: Int) -> Bool {
        kept.wrappingAdd(count, ordering: .relaxed).newValue <= limit
    }

    func free(_ count: Int) {
        kept.wrappingSubtract(count, ordering: .relaxed)
    }
}

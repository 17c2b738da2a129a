import Streams
import Synchronization

/// One body on its way, and those who read it: each at a pace of its own, whoever joins from its first byte on.
///
/// The upstream is asked for what the fastest reader wants. Bytes that are not in the file of a cache below are in memory until all have
/// read them (``BodyContents``); of those the slowest may be a megabyte behind.
final class SharedBody: Sendable {
    enum Fault: Error {
        case load(LoadError)
        /// What has passed by cannot be read from the file: the reader has to begin a load of its own.
        case unreadable
    }

    typealias Downstream = AnySubscriber<DataEvent, Fault>

    private enum Step: Sendable {
        case event(DataEvent)
        case read(WrittenPieces)
        case end(Subscribers.Completion<LoadError>)
    }

    let priority: SharedPriority
    private let room: KeptBytes
    private let onEnd: @Sendable (SharedBody) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - room: for what is kept of all bodies of a source.
    ///   - onEnd: Called when nobody can join any more, once or more often.
    init(priority: LoadPriority.Level, room: KeptBytes, onEnd: @escaping @Sendable (SharedBody) -> Void) {
        self.priority = SharedPriority(priority)
        self.room = room
        self.onEnd = onEnd
        state = Mutex(State(contents: BodyContents(in: room)))
    }

    deinit { state.withLock { $0.contents.free() } }

    // MARK: Readers

    /// - Returns: the reader's number; nil where the body's beginning is no longer there.
    func join(_ downstream: Downstream) -> Int? {
        state.withLock { state in
            guard !state.isOver, !state.isClosed, state.contents.hasBeginning else { return nil }
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

    /// The last one to leave cancels the load.
    func leave(_ id: Int) {
        let (reader, subscription, isLast) = state.withLock { $0.remove(id) }
        reader?.reading?.cancel()
        subscription?.cancel()
        if isLast { onEnd(self) } else { ask() }
    }

    private func drain(_ id: Int) {
        while let (downstream, step) = state.withLock({ next(for: id, &$0) }) {
            switch step {
            case .event(let event): deliver(event, to: downstream, id)
            case .read(let pieces): return read(pieces, for: id)
            case .end(.finished): return downstream.receive(completion: .finished)
            case .end(.failure(let error)): return downstream.receive(completion: .failure(.load(error)))
            }
        }
    }

    private func deliver(_ event: DataEvent, to downstream: Downstream, _ id: Int) {
        let more = downstream.receive(event)
        if more > .none { state.withLock { $0.readers[id]?.demand += more } }
    }

    private func next(for id: Int, _ state: inout State) -> (Downstream, Step)? {
        guard let reader = state.readers[id] else { return nil }
        let isBehind = reader.generation < state.generation
        guard isBehind || reader.position < state.contents.end else {
            guard let completion = state.completion else {
                state.readers[id]?.isDelivering = false
                return nil
            }
            state.readers[id] = nil
            return (reader.downstream, .end(completion))
        }
        guard reader.demand > .none else {
            state.readers[id]?.isDelivering = false
            return nil
        }
        if isBehind, let response = state.response {
            state.readers[id]?.generation = state.generation
            state.readers[id]?.position = 0
            state.readers[id]?.demand -= 1
            return (reader.downstream, .event(.response(response)))
        }
        switch state.contents.next(at: reader.position) {
        case nil: return nil
        case .written(let pieces): return (reader.downstream, .read(pieces))
        case .chunk(let bytes):
            take(bytes.count, for: id, &state)
            return (reader.downstream, .event(.chunk(bytes)))
        }
    }

    private func take(_ count: Int, for id: Int, _ state: inout State) {
        state.readers[id]?.position += count
        state.readers[id]?.demand -= 1
        state.trim()
    }

    // MARK: The file

    /// As the one who delivers, who goes on once the bytes are there.
    private func read(_ pieces: WrittenPieces, for id: Int) {
        let reading = SingleAssignmentDisposable()
        let generation = state.withLock { state in
            state.readers[id]?.reading = reading
            return state.readers[id]?.generation
        }
        guard let generation else { return }
        reading.set(
            pieces.bytes.sink(
                receiveCompletion: { [self] in if case .failure = $0 { fail(id, in: generation) } },
                receiveValue: { [self] bytes in
                    guard pieces.areSound(bytes) else { return fail(id, in: generation) }
                    receive(bytes, for: id, in: generation)
                }))
    }

    private func receive(_ bytes: [UInt8], for id: Int, in generation: Int) {
        let downstream = state.withLock { state -> Downstream? in
            // A further response makes them void.
            guard state.generation == generation else { return nil }
            take(bytes.count, for: id, &state)
            return state.readers[id]?.downstream
        }
        if let downstream { deliver(.chunk(bytes), to: downstream, id) }
        drain(id)
        ask()
    }

    /// Nobody is sent to that file any more.
    private func fail(_ id: Int, in generation: Int) {
        let (reader, subscription) = state.withLock { state -> (Reader?, (any Subscription)?) in
            guard state.generation == generation, state.readers[id] != nil else { return (nil, nil) }
            state.isClosed = true
            let removed = state.remove(id)
            return (removed.reader, removed.subscription)
        }
        guard let reader else { return drain(id) }
        onEnd(self)
        subscription?.cancel()
        reader.downstream.receive(completion: .failure(.unreadable))
        ask()
    }

    // MARK: The upstream

    /// No one joins any more, though the load goes on: what it brings is of no use.
    private func close() {
        state.withLock { $0.isClosed = true }
        onEnd(self)
    }

    func start(_ subscription: any Subscription) {
        let isWanted = state.withLock { state in
            if !state.isOver { state.subscription = subscription }
            return !state.isOver
        }
        if isWanted { ask() } else { subscription.cancel() }
    }

    func receive(_ event: DataEvent) {
        let (idle, replaced) = state.withLock { state -> ([Int], (DataResponse?, BodyContents)?) in
            state.asked -= 1
            switch event {
            case .response(let response):
                let old = (state.response, state.contents)
                begin(response, &state)
                return (state.idleReaders(), old)
            case .chunk(let bytes):
                state.contents.append(bytes)
                state.trim()
                return (state.idleReaders(), nil)
            }
        }
        withExtendedLifetime(replaced) {}
        for id in idle { drain(id) }
        ask()
    }

    private func begin(_ response: DataResponse, _ state: inout State) {
        var response = response
        state.contents.free()
        state.contents = BodyContents(in: room, arrived: response.arrived)
        // Whoever keeps the response would keep the file open.
        response.arrived = nil
        if let discard = response.discard {
            response.discard = { [weak self] in
                self?.close()
                return discard()
            }
        }
        state.response = response
        state.generation += 1
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        onEnd(self)
        let idle = state.withLock { state in
            state.completion = completion
            state.subscription = nil
            state.contents.complete()
            state.trim()
            return state.idleReaders()
        }
        for id in idle { drain(id) }
    }

    private func ask() {
        let (subscription, count) = state.withLock { state -> ((any Subscription)?, Int) in
            guard let subscription = state.subscription else { return (nil, 0) }
            let count = state.wanted
            if count > 0 { state.asked = count }
            return (subscription, count)
        }
        if count > 0 { subscription?.request(.max(count)) }
    }
}

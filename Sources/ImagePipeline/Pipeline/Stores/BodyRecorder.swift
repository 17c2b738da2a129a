import Streams
import Synchronization

struct RecordedSubscriber: Subscriber {
    let recorder: BodyRecorder

    func receive(subscription: any Subscription) { recorder.begin(subscription) }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        recorder.receive(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<LoadError>) { recorder.end(completion) }
}

/// Passes a body on and hands it to a writer on the store's threads, one piece after the other.
final class BodyRecorder: Sendable {
    /// Pieces requested ahead of the subscriber's own pace: a subscriber that asks for everything must not fill the memory.
    private static let window = 32
    /// The bytes that may wait for the store before the load waits for it.
    private static let backlog = 1 << 20

    /// The bytes that are worth a turn of the store's threads. Smaller bodies are written in one turn when they are whole, so that many of
    /// them at once hold few files open.
    private static let burst = 128 << 10

    private enum Step: Sendable {
        case begin(DataResponse, metadata: [UInt8]?, ArrivedBody)
        case append([UInt8])
        case publish
    }

    private struct State {
        var steps: [Step] = []
        /// Of the steps that wait or are being done.
        var bytes = 0
        var isWriting = false
        /// Nothing is recorded any more.
        var isGivenUp = false
        var isOver = false
        /// The demand of the subscriber that the upstream has not been asked for.
        var demand = Subscribers.Demand.none
        var outstanding = 0
        var hasFinished = false
        /// Whether there may be a writer to let go of.
        var mayHaveWriter = false
        /// Of the newest response.
        var arrived: ArrivedBody?
        var upstream: (any Subscription)?

        var hasWork: Bool { !steps.isEmpty && (hasFinished || bytes >= BodyRecorder.burst) }
        var hasLeftovers: Bool { isGivenUp && mayHaveWriter }
    }

    private enum Turn {
        case steps([Step])
        case release
    }

    private let load: StoreLoad
    private let emitter: Emitter<DataEvent, LoadError>
    private let recording: BodyRecording
    private let metadata: @Sendable (DataResponse) -> [UInt8]?
    private let state = Mutex(State())
    private let watch: StoreWatch

    init(
        of load: StoreLoad, emitter: Emitter<DataEvent, LoadError>, recording: BodyRecording,
        metadata: @escaping @Sendable (DataResponse) -> [UInt8]?
    ) {
        self.load = load
        self.emitter = emitter
        self.metadata = metadata
        self.recording = recording
        let giveUp = Noted<@Sendable () -> Void>()
        watch = StoreWatch(load.allowance, clock: load.tier.clock) { giveUp.value?() }
        giveUp.note { [weak self] in self?.giveUp(.timedOut) }
    }

    // MARK: The load's side

    func begin(_ subscription: any Subscription) {
        let isOver = state.withLock { state in
            if !state.isOver { state.upstream = subscription }
            return state.isOver
        }
        if isOver { subscription.cancel() }
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        advance()
    }

    func receive(_ event: DataEvent) {
        var event = event
        let step: Step
        switch event {
        case .response(var response):
            let arrived = ArrivedBody(readBy: load.reading)
            // Now, as it may say when the response came.
            step = .begin(response, metadata: response.isStorable ? metadata(response) : nil, arrived)
            response.discard = load.discarding(and: response.discard) { [recording] in
                try recording.discard()
                return false
            }
            response.arrived = arrived
            let isGivenUp = state.withLock { state in
                state.arrived = arrived
                return state.isGivenUp
            }
            if isGivenUp { arrived.end() }
            event = .response(response)
        case .chunk(let bytes): step = .append(bytes)
        }
        add(step)
        emitter.onNext(event)
        state.withLock { $0.outstanding -= 1 }
        advance()
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        guard case .finished = completion else { return emitter.send(completion: completion) }
        let isWaiting = state.withLock { state in
            state.hasFinished = true
            return !state.isGivenUp
        }
        guard isWaiting else { return emitter.onComplete() }
        watch.begin()
        add(.publish)
    }

    func cancel() {
        let (steps, upstream) = state.withLock { state in
            (state.isOver, state.isGivenUp) = (true, true)
            defer { (state.steps, state.upstream) = ([], nil) }
            return (state.steps, state.upstream)
        }
        withExtendedLifetime(steps) {}
        watch.stop()
        upstream?.cancel()
        let hasWriter = state.withLock { $0.mayHaveWriter }
        if hasWriter { write { _ in } }
    }

    /// Asks the upstream for as much as may come now.
    private func advance() {
        let (upstream, count, isHeldUp) = state.withLock { state -> ((any Subscription)?, Int, Bool) in
            guard !state.isOver, state.demand > .none else { return (nil, 0, false) }
            guard state.isGivenUp || state.bytes < Self.backlog else { return (nil, 0, state.outstanding == 0) }
            guard state.outstanding <= Self.window / 2 else { return (nil, 0, false) }
            let count = min(state.demand.max ?? .max, Self.window - state.outstanding)
            state.demand -= .max(count)
            state.outstanding += count
            return (state.upstream, count, false)
        }
        if isHeldUp { watch.begin() }
        upstream?.request(.max(count))
    }

    // MARK: The store's side

    private func add(_ step: Step) {
        write { state in
            guard !state.isGivenUp else { return }
            state.steps.append(step)
            if case .append(let bytes) = step { state.bytes += bytes.count }
        }
    }

    /// Notes what is to be done, and does it unless somebody is at it.
    private func write(_ note: (inout State) -> Void) {
        let begins = state.withLock { state in
            note(&state)
            guard !state.isWriting, state.hasWork || state.hasLeftovers else { return false }
            state.isWriting = true
            return true
        }
        if begins { load.tier.threads.schedule { self.writeAll() } }
    }

    private func writeAll() {
        while let turn = nextTurn() {
            switch turn {
            case .steps(let steps): steps.forEach(perform)
            case .release: recording.release()
            }
        }
    }

    private func nextTurn() -> Turn? {
        state.withLock { state in
            if state.hasWork {
                defer { state.steps = [] }
                return .steps(state.steps)
            }
            if state.hasLeftovers {
                state.mayHaveWriter = false
                return .release
            }
            state.isWriting = false
            return nil
        }
    }

    private func perform(_ step: Step) {
        let isGivenUp = state.withLock { $0.isGivenUp }
        do {
            switch step {
            case .begin(let response, let metadata, let arrived):
                if !isGivenUp, try recording.begin(response, metadata, noting: arrived) {
                    state.withLock { $0.mayHaveWriter = true }
                }
            case .append(let bytes):
                if !isGivenUp { try recording.append(bytes) }
                state.withLock { $0.bytes -= bytes.count }
                watch.end()
                // The load may have come to its end, and wait for that of the writing.
                if state.withLock({ $0.hasFinished }) { watch.begin() }
                advance()
            case .publish:
                // A body that was given up has lost pieces.
                if !isGivenUp {
                    defer { state.withLock { $0.mayHaveWriter = false } }
                    try recording.publish()
                }
                complete()
            }
        } catch {
            giveUp(.failed("\(error)"))
        }
    }

    /// Records nothing any more, and holds nobody up.
    private func giveUp(_ fault: StoreFault) {
        let (steps, isFirst, hasFinished, arrived) = state.withLock { state in
            defer { (state.steps, state.bytes, state.isGivenUp) = ([], 0, true) }
            return (state.steps, !state.isGivenUp, state.hasFinished, state.arrived)
        }
        withExtendedLifetime(steps) {}
        arrived?.end()
        guard isFirst else { return }
        load.tier.health.didFail(fault)
        watch.end()
        if hasFinished { complete() } else { advance() }
    }

    private func complete() {
        watch.stop()
        emitter.onComplete()
    }
}

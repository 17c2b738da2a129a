import Streams
import Synchronization

/// Hands a body that passes by to the disk, beside the load: a directory that is slow or hangs holds up no event.
///
/// The serial signals of one stream record. A stream that is cancelled releases the recorder, which keeps what has come then.
final class PartialBodyRecorder: Sendable {
    private enum Step: Sendable {
        case begin(DataResponse), append([UInt8])
        /// Nothing more is recorded behind it.
        case end(Fate, done: @Sendable () -> Void)
    }

    private enum Fate {
        /// The bytes that have come are kept for the next load.
        case kept
        /// The beginning that was there before stays.
        case forgotten
        /// Nothing is left: all of it has come, or is not to be continued.
        case removed
    }

    private struct State {
        var steps: [Step] = []
        /// Of the steps that wait.
        var bytes = 0
        var isWriting = false
        /// The disk has fallen too far behind, or the stream has ended: nothing more is recorded.
        var isOver = false
        var hasBegun = false

        mutating func takeSteps() -> [Step] {
            defer { (steps, bytes) = ([], 0) }
            return steps
        }
    }

    /// The bytes that are worth a turn of the threads. A smaller body that comes whole never reaches the disk.
    private static let burst = 128 << 10
    /// The bytes that may wait for the disk; then the body is not recorded.
    private static let backlog = 2 << 20

    private let load: StoreLoad
    private let writing: PartialBodyWriting
    private let state = Mutex(State())

    init(_ writing: PartialBodyWriting, of load: StoreLoad) {
        self.writing = writing
        self.load = load
    }

    deinit {
        // Nobody is writing: a writer would hold this object. The disk is for threads that may block, which this one need not be.
        let (steps, isKept) = state.withLock { ($0.steps, !$0.isOver && ($0.hasBegun || !$0.steps.isEmpty)) }
        guard isKept else { return }
        load.tier.threads.schedule { [writing] in
            for step in steps { Self.perform(step, writing) }
            writing.keep()
        }
    }

    /// Takes an event, and returns it as it goes on.
    func recorded(_ event: DataEvent) -> DataEvent {
        switch event {
        case .response(var response):
            add(.begin(response), bytes: 0)
            response.discard = load.discarding(and: response.discard) { [writing] in
                writing.discard()
                return false
            }
            return .response(response)
        case .chunk(let bytes):
            add(.append(bytes), bytes: bytes.count)
            return event
        }
    }

    /// The end of the stream, once what is on the disk is as the next load is to find it, or the disk has taken too long for that.
    func ended(_ completion: Subscribers.Completion<LoadError>) -> AnyPublisher<DataEvent, LoadError> {
        let fate: Fate
        switch completion {
        case .failure(let error) where !error.endsBeginnings: fate = .kept
        default: fate = .removed
        }
        return AnyPublisher<Void, StoreFault>.create { [self] emitter in
            finish(fate) {
                emitter.onNext(())
                emitter.onComplete()
            }
            return Disposable {}
        }
        .answering(within: load.allowance, load.tier.clock, or: .timedOut) { [tier = load.tier] in
            tier.health.didFail(.timedOut)
        }
        .replaceError(with: ())
        .setFailureType(to: LoadError.self)
        .flatMap { _ -> AnyPublisher<DataEvent, LoadError> in
            guard case .failure(let error) = completion else { return Empty().eraseToAnyPublisher() }
            return Fail(error: error).eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }

    private func finish(_ fate: Fate, _ done: @escaping @Sendable () -> Void) {
        write { state in
            // Bytes that are not kept need not be written.
            let left = fate == .removed ? state.takeSteps() : []
            state.steps.append(.end(fate == .kept && state.isOver ? .forgotten : fate, done: done))
            state.isOver = true
            return left
        }
    }

    private func add(_ step: Step, bytes: Int) {
        write { state in
            guard !state.isOver else { return [] }
            state.steps.append(step)
            state.bytes += bytes
            state.isOver = state.bytes > Self.backlog
            guard state.isOver else { return [] }
            // Its file would stay on the disk for as long as somebody holds the response.
            defer { state.steps = [.end(.forgotten, done: {})] }
            return state.takeSteps()
        }
    }

    /// Notes what is to be done, and does it unless somebody is at it.
    ///
    /// - Parameter note: Changes the state, and returns the steps that are given up, to be let go of outside the lock.
    private func write(_ note: (inout State) -> [Step]) {
        let (begins, left) = state.withLock { state in
            let left = note(&state)
            let isDue = !state.steps.isEmpty && (state.isOver || state.bytes >= Self.burst)
            guard isDue, !state.isWriting else { return (false, left) }
            (state.isWriting, state.hasBegun) = (true, true)
            return (true, left)
        }
        withExtendedLifetime(left) {}
        if begins { load.tier.threads.schedule { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let steps = state.withLock { state in
                state.isWriting = !state.steps.isEmpty
                return state.takeSteps()
            }
            if steps.isEmpty { return }
            for step in steps { Self.perform(step, writing) }
        }
    }

    private static func perform(_ step: Step, _ writing: PartialBodyWriting) {
        switch step {
        case .begin(let response): writing.begin(response)
        case .append(let bytes): writing.append(bytes)
        case .end(let fate, let done):
            switch fate {
            case .kept: writing.keep()
            case .forgotten: writing.forget()
            case .removed: writing.remove()
            }
            done()
        }
    }
}

extension LoadError {
    /// Whether what has come is not to be continued: the resource is gone, or its server contradicts itself and would do so again.
    fileprivate var endsBeginnings: Bool {
        switch self {
        case .status(404), .status(410), .transport(.protocolViolation): true
        default: false
        }
    }
}

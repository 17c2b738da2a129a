import Streams
import Synchronization

/// Feeds a decoder with what arrives, and passes on what it makes. Gives way every few milliseconds where other work waits.
///
/// Signals wait in an inbox, so that the upstream's thread is never kept. Whoever finds it idle has it emptied in the load's turn; so
/// only one at a time uses the decoder, which runs under no lock. It may be somebody else's (``FormatDecoder``), and cancel its
/// own load inside a call, which is the last one then. It is released before the final image or its error is passed on, and after a
/// cancel with this subscriber.
///
/// The functions that every chunk passes are compiled for the usual scheduler once more: generic, they look types up all the time.
final class DecodingSubscriber<Context: Scheduler>: Subscriber {
    typealias Input = DataEvent
    typealias Failure = LoadError

    private enum Signal: Sendable {
        case event(DataEvent)
        /// The rest of a chunk.
        case rest(ArraySlice<UInt8>)
        case completion(Subscribers.Completion<LoadError>)
    }

    private struct Inbox: Sendable {
        var signals: [Signal] = []
        var isBusy = false
    }

    /// Chunks asked for ahead of what is being decoded: the transfer goes on meanwhile, and memory stays bounded.
    private static var window: Subscribers.Demand { .max(4) }

    /// Bytes after which a pass is closed to further sizes: so much is decoded once more for one that comes before.
    static var openBytes: Int { 256 << 10 }

    /// Used up events that are asked for anew at a time: each time may wake a thread.
    private static var batch: Int { 2 }

    /// The time for which a load works before others have their turn.
    static var slice: Context.SchedulerTimeType.Stride { .milliseconds(4) }

    /// The time after which a load gives way to whatever else its scheduler may have to do.
    private static var longestTurn: Context.SchedulerTimeType.Stride { .milliseconds(24) }

    let pass: DecodePass
    private let upstream: SingleAssignmentDisposable
    let turn: WorkTurn<Context>
    let makeDecoder: @Sendable ([Rendition]) -> ContentDecoder
    private let receiveEnd: @Sendable (DecodingEnd, DataResponse?) -> Void
    private let subscription = Noted<any Subscription>()
    private let inbox = Mutex(Inbox())
    private let state: SerialState<DecodingState<WorkTurn<Context>>>

    /// - Parameters:
    ///   - turn: what decodes; its time tells what degraded images cost.
    ///   - receiveEnd: gets the end, once, and the response that it is of; nothing comes after it.
    init(
        pass: DecodePass, upstream: SingleAssignmentDisposable, turn: WorkTurn<Context>,
        makeDecoder: @escaping @Sendable ([Rendition]) -> ContentDecoder,
        receiveEnd: @escaping @Sendable (DecodingEnd, DataResponse?) -> Void
    ) {
        self.pass = pass
        self.upstream = upstream
        self.turn = turn
        self.makeDecoder = makeDecoder
        self.receiveEnd = receiveEnd
        let renditions = pass.renditions(isLast: false)
        state = SerialState(
            DecodingState(
                decoder: makeDecoder(renditions), renditions: renditions, budget: PreviewBudget(scheduler: turn)))
    }

    func receive(subscription: any Subscription) {
        self.subscription.note(subscription)
        if upstream.set(subscription) { subscription.request(Self.window) }
    }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        take(.event(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        take(.completion(completion))
    }

    // MARK: Turns

    @specialized(where Context == ThreadPoolScheduler)
    private func take(_ signal: Signal) {
        let isIdle = inbox.withLock { inbox in
            inbox.signals.append(signal)
            // A response alone is nothing to be decoded, and to change threads for it costs as much as to begin the load.
            if case .event(.response) = signal, inbox.signals.count == 1 { return false }
            defer { inbox.isBusy = true }
            return !inbox.isBusy
        }
        if isIdle { turn.schedule { self.work() } }
    }

    @specialized(where Context == ThreadPoolScheduler)
    private func work() {
        let start = turn.now
        var sliceStart = start
        while let signal = nextSignal() {
            let hadPreview = state.withValue { $0.hasPreview }
            guard step(signal) else { return }
            if state.withValue({ $0.waitsForRoom }) {
                state.withValue { $0.waitsForRoom = false }
                return turn.schedule { self.work() }
            }
            // Behind its first image a load lets others come to theirs.
            let hasFirst = !hadPreview && state.withValue { $0.hasPreview }
            let now = turn.now
            guard hasFirst || sliceStart.distance(to: now) >= Self.slice else { continue }
            if turn.isOvertaken || start.distance(to: now) >= Self.longestTurn {
                return turn.schedule { self.work() }
            }
            sliceStart = now
        }
    }

    private func nextSignal() -> Signal? {
        inbox.withLock { inbox in
            if inbox.signals.isEmpty {
                inbox.isBusy = false
                return nil
            }
            return inbox.signals.removeFirst()
        }
    }

    /// - Returns: whether there is more to come.
    private func step(_ signal: Signal) -> Bool {
        guard !pass.isCancelled else {
            state.withValue { $0.decoder = nil }
            turn.leaveRoom()
            return false
        }
        switch signal {
        case .event(.response(let response)):
            state.withValue { $0.begin(response, makeDecoder) }
            askForMore()
            return true
        case .event(.chunk(let bytes)): return feed(bytes[...])
        case .rest(let bytes): return feed(bytes)
        case .completion(.failure(let error)):
            state.withValue { $0.decoder = nil }
            end(.failure(error))
            return false
        case .completion(.finished):
            attempt { (decoder, state) throws(DecodeError) in
                if let images = state.provisional { return .images(images, isEarly: false) }
                _ = try renew(&decoder, &state, isLast: true)
                return .images(try finish(decoder), isEarly: false)
            }
            return false
        }
    }

    // MARK: The decoder

    private func feed(_ bytes: ArraySlice<UInt8>) -> Bool {
        let count = min(bytes.count, state.withValue { $0.piece })
        let isWhole = count == bytes.count
        let goesOn = attempt { (decoder, state) throws(DecodeError) in
            try feed(bytes.prefix(count), &decoder, &state, isWhole: isWhole)
        }
        guard goesOn else { return false }
        if isWhole {
            askForMore()
        } else {
            inbox.withLock { $0.signals.insert(.rest(bytes.dropFirst(count)), at: 0) }
        }
        return true
    }

    /// Counts an event as used up, and asks for as many as have been.
    private func askForMore() {
        let isDue = state.withValue { state in
            state.usedUp = (state.usedUp + 1) % Self.batch
            return state.usedUp == 0
        }
        if isDue { subscription.value?.request(.max(Self.batch)) }
    }

    /// Passes on what the decoder makes of a signal, and releases it with the image or its error.
    ///
    /// - Returns: whether more bytes are wanted.
    @discardableResult
    private func attempt(
        _ body: (inout ContentDecoder, inout DecodingState<WorkTurn<Context>>) throws(DecodeError) -> Outcome
    ) -> Bool {
        do throws(DecodeError) {
            let outcome = try state.withValue { (state) throws(DecodeError) -> Outcome? in
                guard var decoder = state.decoder.take() else { return nil }
                let outcome = try body(&decoder, &state)
                if case .images = outcome { return outcome }
                if !pass.isCancelled { state.decoder = decoder }
                return outcome
            }
            switch outcome {
            case nil: return false
            case .nothing: return !pass.isCancelled
            case .events(let progress, let preview):
                pass.send(progress)
                if let preview { pass.send(preview, of: state.withValue { $0.renditions }) }
                return true
            case .images(let images, let isEarly):
                let (progress, renditions, provenance) = state.withValue { state in
                    (state.progress, state.renditions, state.provenance)
                }
                // A transfer may end here that would go on; nobody takes what has come of it for the whole.
                upstream.cancel()
                if isEarly { pass.send(progress) }
                end(.images(images, of: renditions, provenance))
            }
        } catch {
            upstream.cancel()
            end(.failure(state.withValue { $0.loadError(error) }))
        }
        return false
    }

    private func end(_ end: DecodingEnd) {
        turn.leaveRoom()
        receiveEnd(end, state.withValue { $0.response })
    }
}

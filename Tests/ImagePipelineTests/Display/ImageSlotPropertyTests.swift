import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization
import Testing

/// A slot under random commands beside a model of it. The pictures carry the load that they are of, and the source goes on sending for
/// loads that are cancelled, without regard to demand: what a publisher must not do, and a slot must bear.
@Suite("An image slot against its model")
struct ImageSlotPropertyTests {
    private enum Step: Sendable {
        case load(inMemory: Bool, keepingImage: Bool)
        /// The same, inside the next call of `show`.
        case loadWhileShowing(inMemory: Bool, keepingImage: Bool)
        case reset, retry
        /// An event of a load that began that many loads before the newest one.
        case degraded(back: Int), final(back: Int), fail(back: Int)
        /// The context gets its turn.
        case turn
    }

    private static let steps = Gen<Step> { choices in
        let back = choices.int(in: 0...2)
        let (inMemory, keepingImage) = (choices.chance(1, of: 3), choices.chance(1, of: 3))
        return switch choices.int(in: 0...9) {
        case 0, 1: .load(inMemory: inMemory, keepingImage: keepingImage)
        case 2: .degraded(back: back)
        case 3: .turn
        case 4: .final(back: back)
        case 5: .fail(back: back)
        case 6: .retry
        case 7: .reset
        case 8: .loadWhileShowing(inMemory: inMemory, keepingImage: keepingImage)
        default: .degraded(back: 0)
        }
    }

    /// Sends whatever the test says to the subscribers of loads, the cancelled ones included.
    private final class RudeSource: Source {
        private final class Silent: Subscription {
            private let onCancel: @Sendable () -> Void

            init(onCancel: @escaping @Sendable () -> Void) {
                self.onCancel = onCancel
            }

            func request(_ demand: Subscribers.Demand) {}
            func cancel() { onCancel() }
        }

        private struct Loads: Publisher {
            typealias Output = ImageEvent
            typealias Failure = LoadError
            let source: RudeSource
            let request: ImageRequest

            func receive<S: Subscriber>(subscriber: S) where S.Input == ImageEvent, S.Failure == LoadError {
                let index = source.state.withLock { state in
                    state.subscribers.append(AnySubscriber(subscriber))
                    return state.subscribers.count - 1
                }
                subscriber.receive(
                    subscription: Silent { [source] in source.state.withLock { _ = $0.over.insert(index) } })
                if request.version != nil { source.finish(index) }
            }
        }

        struct State: Sendable {
            var subscribers: [AnySubscriber<ImageEvent, LoadError>] = []
            /// Cancelled, or ended by the source.
            var over: Set<Int> = []
        }

        let state = Mutex(State())

        func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
            Loads(source: self, request: request).eraseToAnyPublisher()
        }

        func finish(_ load: Int) {
            send(.value(.final(picture(load * 256 + 255), .network)), to: load)
            send(.finished, to: load)
        }

        func send(_ signal: Publishers.Signal<ImageEvent, LoadError>, to load: Int) {
            let subscriber = state.withLock { state in
                if case .value = signal {} else { state.over.insert(load) }
                return state.subscribers[load]
            }
            switch signal {
            case .value(let event): _ = subscriber.receive(event)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            case .finished: subscriber.receive(completion: .finished)
            }
        }
    }

    /// The slot as it should be, in words.
    private struct Model {
        /// Loads are numbered as the source sees them.
        var loads = 0
        var current: Int?
        var isOpen = false
        var canRetry = false
        var inMemory: [Int: Bool] = [:]
        /// The next thing to be shown: a picture's number, or none, and whether it is one of a request.
        var pending: (word: String, number: Int?)?
        var kept: Int?
        var expected: [String] = []

        mutating func load(inMemory: Bool, keepingImage: Bool) {
            current = loads
            self.inMemory[loads] = inMemory
            loads += 1
            isOpen = true
            canRetry = false
            if !keepingImage { kept = nil }
            pending = ("placeholder", kept)
            if inMemory, let current { final(current) }
        }

        mutating func reset() {
            (current, isOpen, canRetry, kept, pending) = (nil, false, false, nil, ("empty", nil))
        }

        mutating func retry() {
            guard canRetry, let current else { return }
            load(inMemory: inMemory[current] ?? false, keepingImage: true)
        }

        mutating func degraded(_ load: Int, number: Int) {
            if load == current, isOpen { pending = ("degraded", number) }
        }

        mutating func final(_ load: Int) {
            guard load == current, isOpen else { return }
            isOpen = false
            pending = ("final", load * 256 + 255)
        }

        mutating func fail(_ load: Int) {
            guard load == current, isOpen else { return }
            (isOpen, canRetry) = (false, true)
            pending = ("failed", kept)
        }

        /// Shows the next thing; false where there is none.
        mutating func show() -> Bool {
            guard let (word, number) = pending.take() else { return false }
            if word == "degraded" || word == "final" { kept = number }
            expected.append(number.map { "\(word) \($0)" } ?? word)
            return true
        }
    }

    /// The action to take inside the next call of `show`.
    private final class Nested: Sendable {
        let load = Mutex<(ImageRequest, Bool)?>(nil)
        let slot = Mutex<ImageSlot?>(nil)

        func run() {
            if let (request, keepingImage) = load.withLock({ $0.take() }) {
                slot.withLock { $0 }?.load(request, keepingImage: keepingImage)
            }
        }
    }

    private func request(inMemory: Bool) -> ImageRequest {
        var request = ImageRequest.numbered(0)
        if inMemory { request.version = "memory" }
        return request
    }

    /// - Returns: what was wrong.
    private func run(_ steps: [Step], atOnce: Bool) -> String? {
        let source = RudeSource()
        let clock = VirtualTimeScheduler()
        let shown = ShownContents()
        let nested = Nested()
        let show: @Sendable (ImageSlot.Content) -> Void = { content in
            shown.append(content)
            nested.run()
        }
        let slot =
            atOnce
            ? ImageSlot(source: source, on: ImmediateScheduler(), show: show)
            : ImageSlot(source: source, on: clock, show: show)
        nested.slot.withLock { $0 = slot }
        defer { nested.slot.withLock { $0 = nil } }
        var model = Model()
        var planned: (inMemory: Bool, keepingImage: Bool)?
        func turn() {
            while model.show() {
                if let (inMemory, keepingImage) = planned.take() {
                    model.load(inMemory: inMemory, keepingImage: keepingImage)
                }
            }
        }
        for (index, step) in (steps + [.turn]).enumerated() {
            switch step {
            case .load(let inMemory, let keepingImage):
                model.load(inMemory: inMemory, keepingImage: keepingImage)
                if atOnce { turn() }
                slot.load(request(inMemory: inMemory), keepingImage: keepingImage)
            case .loadWhileShowing(let inMemory, let keepingImage):
                planned = (inMemory, keepingImage)
                nested.load.withLock { $0 = (request(inMemory: inMemory), keepingImage) }
            case .reset:
                model.reset()
                if atOnce { turn() }
                slot.prepareForReuse()
            case .retry:
                model.retry()
                if atOnce { turn() }
                slot.retry()
            case .degraded(let back), .final(let back), .fail(let back):
                let load = model.loads - 1 - back
                guard load >= 0, source.state.withLock({ load < $0.subscribers.count }) else { continue }
                // A picture of that load, of that step.
                let number = load * 256 + index % 255
                switch step {
                case .final: model.final(load)
                case .fail: model.fail(load)
                default: model.degraded(load, number: number)
                }
                if atOnce { turn() }
                switch step {
                case .final: source.finish(load)
                case .fail: source.send(.failure(.status(500)), to: load)
                default: source.send(.value(.degraded(picture(number), quality: 0.5)), to: load)
                }
            case .turn:
                turn()
                clock.run()
            }
            if shown.words != model.expected {
                return "after step \(index + 1): shown \(shown.words), expected \(model.expected)"
            }
        }
        let left = source.state.withLock { state in
            state.subscribers.indices.filter { !state.over.contains($0) && $0 != model.current }
        }
        return left.isEmpty ? nil : "superseded and not cancelled: \(left)"
    }

    @Test(
        "Whatever is asked of a slot, it shows what its model shows, and nothing of a superseded load",
        arguments: [true, false])
    func model(atOnce: Bool) throws {
        try forAll(
            "a slot", Self.steps.array(upTo: 40), cases: 1_000,
            coverage: ["reentrant": 0.2, "reused": 0.5, "retried": 0.1],
            labels: { steps in
                var labels: [String] = []
                if steps.contains(where: { if case .loadWhileShowing = $0 { true } else { false } }) {
                    labels.append("reentrant")
                }
                if steps.filter({ if case .load = $0 { true } else { false } }).count > 1 { labels.append("reused") }
                if steps.contains(where: { if case .retry = $0 { true } else { false } }) { labels.append("retried") }
                return labels
            }
        ) { steps in
            if let problem = run(steps, atOnce: atOnce) { throw Disproof(problem) }
        }
    }
}

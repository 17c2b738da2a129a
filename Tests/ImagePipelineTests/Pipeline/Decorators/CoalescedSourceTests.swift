import Dispatch
import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Coalesced loads")
struct CoalescedSourceTests {
    /// The first load does what the test says; each further one ends at once.
    private final class Loads: Source {
        private let image: Image
        private let state = Mutex((count: 0, cancels: 0, first: Emitter<ImageEvent, LoadError>?.none))

        init() throws {
            image = try Pictures.gradient(1, 1)
        }

        var count: Int { state.withLock { $0.count } }
        var cancels: Int { state.withLock { $0.cancels } }

        func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
            AnyPublisher.create { [self] emitter in
                let isFirst = state.withLock { state in
                    state.count += 1
                    if state.count == 1 { state.first = emitter }
                    return state.count == 1
                }
                if !isFirst { end(emitter) }
                return Disposable { self.state.withLock { $0.cancels += 1 } }
            }
        }

        func sendDegraded(_ quality: Double) {
            state.withLock { $0.first }?.onNext(.degraded(image, quality: quality))
        }

        func sendFinal() {
            state.withLock { $0.first }?.onNext(.final(image, .network))
        }

        func end() {
            if let first = state.withLock({ $0.first }) { end(first) }
        }

        private func end(_ emitter: Emitter<ImageEvent, LoadError>) {
            emitter.onNext(.final(image, .network))
            emitter.onComplete()
        }
    }

    private typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>

    private let request = ImageRequest("http://localhost/a.jpg")

    /// What is wrong with the events that a subscriber got to the end.
    private func problem(_ subscriber: Recorder) -> String? {
        if !subscriber.violations.isEmpty { return "\(subscriber.violations)" }
        guard subscriber.provenance != nil else { return "no final image at the end: \(subscriber.values.count)" }
        let qualities = subscriber.values.compactMap { event in
            if case .degraded(_, let quality) = event { quality } else { nil }
        }
        return qualities == qualities.sorted() ? nil : "not in order: \(qualities)"
    }

    @Test("Who joins while the load ends gets its final image, once and last, asked for before or after")
    func joiningRacesTheEnd() throws {
        let threads = ThreadPoolScheduler(width: 4)
        for round in 0..<1_000 {
            let loads = try Loads()
            let source = loads.coalesced()
            let first = Recorder()
            source.events(for: request).subscribe(first)
            loads.sendDegraded(0)
            // Without demand the newest event is kept: that must be the final one.
            let joiners = (0..<30).map { _ in Recorder(initialDemand: round % 2 == 0 ? .unlimited : .none) }
            let group = DispatchGroup()
            for share in 0..<3 {
                group.enter()
                threads.schedule {
                    for joiner in joiners[(share * 10)..<(share * 10 + 10)] {
                        source.events(for: self.request).subscribe(joiner)
                    }
                    group.leave()
                }
            }
            group.enter()
            threads.schedule {
                for step in 1...10 { loads.sendDegraded(Double(step) / 10) }
                loads.end()
                group.leave()
            }
            group.wait()
            for joiner in joiners { joiner.request(.unlimited) }
            for (index, subscriber) in ([first] + joiners).enumerated() {
                if let problem = problem(subscriber) {
                    Issue.record("round \(round), subscriber \(index): \(problem)")
                    return
                }
            }
        }
    }

    @Test(
        "In any interleaving of a load with joins and cancels, who stays gets the final image, and no load goes on"
    )
    func interleavings() throws {
        struct Outcome {
            var trace: String
            var problem: String?
        }
        let outcomes = Gen<Outcome> { choices in
            let cancelling = (0..<3).map { _ in choices.chance(1, of: 3) }
            let interleaver = Interleaver(choices)
            guard let loads = try? Loads() else { return Outcome(trace: "", problem: "no picture") }
            let source = loads.coalesced()
            let subscribers = cancelling.map { _ in Recorder(onValue: { _, _ in interleaver.pause() }) }
            let isCancelled = cancelling.map { _ in CancelMark() }
            var lanes = subscribers.indices.map { index in
                let subscriber = subscribers[index]
                var actions: [@Sendable () -> Void] = [{ source.events(for: self.request).subscribe(subscriber) }]
                if cancelling[index] {
                    actions.append {
                        isCancelled[index].count.store(subscriber.values.count, ordering: .relaxed)
                        subscriber.cancel()
                    }
                }
                return Interleaver.Lane("\(index)", actions)
            }
            lanes.append(
                .init("load", [{ loads.sendDegraded(0.1) }, { loads.sendDegraded(0.2) }, { loads.end() }]))
            interleaver.run(lanes)
            // If nobody had joined when it was to end.
            loads.end()
            choices = interleaver.choices
            var problems: [String] = []
            for (index, subscriber) in subscribers.enumerated() {
                let count = isCancelled[index].count.load(ordering: .relaxed)
                if count == .max {
                    if let problem = problem(subscriber) { problems.append("\(index): \(problem)") }
                } else if subscriber.values.count > count {
                    problems.append("\(index): a value after its cancel")
                }
            }
            if loads.cancels != loads.count { problems.append("a load is still going on") }
            return Outcome(trace: interleaver.trace, problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
        }
        try forAll("coalescing", outcomes, describe: { $0.trace }) { outcome in
            if let problem = outcome.problem { throw Disproof(problem) }
        }
    }

    private final class CancelMark: Sendable {
        let count = Atomic(Int.max)
    }

    @Test("A degraded image that comes behind the final one does not take its place")
    func degradedBehindFinal() throws {
        let image = try Pictures.gradient(1, 1)
        let source = AnySource<ImageRequest, ImageEvent> { _ in
            [ImageEvent.final(image, .network), .degraded(image, quality: 0.5)].publisher
                .setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let subscriber = Recorder(initialDemand: .none)
        source.coalesced().events(for: request).subscribe(subscriber)
        subscriber.request(.unlimited)
        #expect(problem(subscriber) == nil)
    }

    @Test("A load begun while the final image is received, or behind it, is another one")
    func begunInFinal() throws {
        let loads = try Loads()
        let source = loads.coalesced()
        let (first, inner, later) = (Recorder(), Recorder(), Recorder())
        source.events(for: request)
            .handleEvents(receiveOutput: { [request] event in
                if event.finalValue != nil { source.events(for: request).subscribe(inner) }
            })
            .subscribe(first)
        loads.sendFinal()
        #expect(problem(inner) == nil)
        source.events(for: request).subscribe(later)
        #expect(problem(later) == nil)
        #expect(first.completion == nil && loads.count == 3)
        loads.end()
        #expect(problem(first) == nil)
    }

    @Test("Nothing comes behind a final image, whatever is sent")
    func behindFinal() throws {
        let image = try Pictures.gradient(1, 1)
        let events = PassthroughSubject<ImageEvent, LoadError>()
        let source = AnySource<ImageRequest, ImageEvent> { _ in events.eraseToAnyPublisher() }
        let subscriber = Recorder()
        source.coalesced().events(for: request).subscribe(subscriber)
        events.send(.final(image, .network))
        events.send(.final(image, .disk))
        events.send(.degraded(image, quality: 0.5))
        events.send(.progress(LoadProgress(received: 1)))
        #expect(subscriber.values.count == 1 && subscriber.provenance == nil)
        events.send(completion: .finished)
        #expect(problem(subscriber) == nil && subscriber.values.count == 1)
    }
}

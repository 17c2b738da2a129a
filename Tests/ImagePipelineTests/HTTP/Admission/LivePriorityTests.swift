import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Priorities that change")
struct LivePriorityTests {
    @Test("The publisher of levels begins with the current one, hears of every change, and of nothing after its cancel")
    func levels() {
        let priority = LivePriority(.low)
        let seen = Mutex<[LoadPriority.Level]>([])
        let subscription = priority.levels.sink { level in seen.withLock { $0.append(level) } }
        priority.level = .high
        priority.level = .normal
        subscription.cancel()
        priority.level = .low
        #expect(seen.withLock { $0 } == [.low, .high, .normal])
        #expect(priority.level == .low)
    }

    @Test("A priority that changes is the same as itself and as no other one, whatever their levels are")
    func identity() {
        let (one, other) = (LivePriority(.high), LivePriority(.high))
        #expect(LoadPriority.live(one) == .live(one) && LoadPriority.live(one) != .live(other))
        #expect(LoadPriority.live(one) != .high)
        #expect(Set([one, other, one]).count == 2)
    }

    @Test("An observer hears of every set until it is cancelled or released, and is not kept then")
    func observers() {
        final class Owner: Sendable {}
        let priority = LivePriority()
        let heard = Mutex(0)
        var owner: Owner? = Owner()
        weak var gone: Owner?
        gone = owner
        var observation: PriorityObservation? = priority.observe { [owner] _ in
            heard.withLock { $0 += 1 }
            withExtendedLifetime(owner) {}
        }
        owner = nil
        priority.level = .high
        priority.level = .high
        #expect(heard.withLock { $0 } == 2)
        observation?.cancel()
        #expect(gone == nil)
        priority.level = .low
        observation = priority.observe { _ in heard.withLock { $0 += 1 } }
        observation = nil
        priority.level = .normal
        #expect(heard.withLock { $0 } == 2)
        withExtendedLifetime(observation) {}
    }

    @Test("A load that is over, by its image, an error or a cancel, has left nothing at its priority")
    func leavesNothing() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/picture.jpg"
        let file = try Pictures.textured(40, 30).encoded(as: .jpeg(quality: 85))
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(file, at: 0)
        let images = ImageLoader.standard()
        let priority = LivePriority()
        for round in 0..<30 {
            var request = ImageRequest(round % 3 == 1 ? "\(path)-missing" : path)
            request.priority = .live(priority)
            request.caching = .noStore
            let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
            images.events(for: request).subscribe(subscriber)
            if round % 3 == 2 { subscriber.cancel() } else { #expect(subscriber.waitForCompletion()) }
        }
        #expect(comesTrue { priority.observerCount == 0 })
    }

    @Test("A priority is let go of though a subscriber of its levels never cancels, and so is that")
    func released() {
        weak var priority: LivePriority?
        weak var subscriber: RecordingSubscriber<LoadPriority.Level, Never>?
        do {
            let (live, recorder) = (LivePriority(), RecordingSubscriber<LoadPriority.Level, Never>())
            live.levels.subscribe(recorder)
            live.level = .high
            #expect(recorder.values == [.normal, .high])
            (priority, subscriber) = (live, recorder)
        }
        #expect(priority == nil)
        #expect(subscriber == nil)
    }

    /// Levels for two threads to set at once.
    private static let plans = Gen<[[LoadPriority.Level]]> { choices in
        (0..<2).map { _ in (0..<choices.int(in: 1...4)).map { _ in LoadPriority.Level.allCases[choices.int(in: 0...2)] }
        }
    }

    private func race(_ priorities: [LivePriority], _ plan: [[LoadPriority.Level]]) {
        StreamsTesting.race(
            plan.map { levels in
                {
                    for (index, level) in levels.enumerated() { priorities[index % priorities.count].level = level }
                }
            })
    }

    @Test("Whoever sets a priority at once with others, all that keep it end with the level it ends with")
    func races() throws {
        try forAll("levels", Self.plans, cases: 300, describe: { "\($0)" }) { plan in
            let priority = LivePriority(.normal)
            let last = Mutex(LoadPriority.Level.normal)
            let levels = priority.levels.sink { level in last.withLock { $0 = level } }
            let gate = AdmissionGate<String>(limit: 1)
            let queue = WorkQueue(on: HeldScheduler(VirtualTimeScheduler()))
            let first = PassthroughSubject<Int, Never>()
            let order = Mutex<[String]>([])
            @Sendable func note(_ name: String) { order.withLock { $0.append(name) } }
            func wait(_ name: String, _ priority: LoadPriority) -> AnyCancellable {
                gate.admitting(priority: priority) {
                    note(name)
                    return Empty<Int, Never>().eraseToAnyPublisher()
                }.sink { _ in }
            }
            let running = gate.admitting { first.eraseToAnyPublisher() }.sink { _ in }
            let waiting = [wait("normal", .normal), wait("live", .live(priority))]
            let turns = [queue.turn(.normal), queue.turn(.live(priority))]
            turns[0].schedule { note("normal turn") }
            turns[1].schedule { note("live turn") }
            race([priority], plan)
            first.send(completion: .finished)
            queue.scheduler.run()
            let isFirst = priority.level == .high
            let expected =
                (isFirst ? ["live", "normal"] : ["normal", "live"])
                + (isFirst ? ["live turn", "normal turn"] : ["normal turn", "live turn"])
            withExtendedLifetime((levels, running, waiting, turns)) {}
            guard order.withLock({ $0 }) == expected, last.withLock({ $0 }) == priority.level else {
                throw Difference("\(order.withLock { $0 }), told of \(last.withLock { $0 }), is \(priority.level)")
            }
        }
    }

    @Test(
        "Of those who share a priority the highest counts, whatever they set at once, and whoever leaves counts no more"
    )
    func shared() throws {
        try forAll("levels", Self.plans, cases: 300, describe: { "\($0)" }) { plan in
            let members = [LivePriority(.low), LivePriority(.normal)]
            let shared = SharedPriority(.low)
            let places = members.map { shared.join(.live($0)) }
            let fixed = shared.join(.low)
            race(members, plan)
            guard shared.live.level == members.map(\.level).max() else {
                throw Difference("\(shared.live.level) of \(members.map(\.level))")
            }
            places[0].cancel()
            members[0].level = .high
            guard shared.live.level == members[1].level else { throw Difference("one who has left counts") }
            places[1].cancel()
            guard shared.live.level == .low else { throw Difference("\(shared.live.level) of one that is low") }
            fixed.cancel()
        }
    }
}

private struct Difference: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

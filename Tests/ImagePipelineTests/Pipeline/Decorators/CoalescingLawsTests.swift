import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The laws of a coalesced load")
struct CoalescingLawsTests {
    private typealias Recorder = RecordingSubscriber<NumberEvent, LoadError>

    // MARK: Against a model

    private enum Step {
        case join(previews: Bool, demand: Subscribers.Demand)
        case request(Int, Subscribers.Demand)
        case cancel(Int)
        case progress, degraded
    }

    private struct Script: CustomStringConvertible {
        var steps: [Step]
        var fails: Bool

        var description: String { steps.map { "\($0)" }.joined(separator: "\n") + "\nfails: \(fails)" }
    }

    private static let scripts = Gen<Script> { choices in
        let demands: [Subscribers.Demand] = [.unlimited, .none, .max(1), .max(2)]
        let steps = choices.array(upTo: 24) { choices in
            switch choices.int(in: 0...6) {
            case 0, 1: Step.join(previews: !choices.chance(1, of: 4), demand: choices.element(of: demands))
            case 2: Step.progress
            case 3, 4: Step.degraded
            case 5: Step.request(choices.int(in: 0...5), choices.element(of: demands))
            default: Step.cancel(choices.int(in: 0...5))
            }
        }
        return Script(steps: steps, fails: choices.chance(1, of: 4))
    }

    /// A model of a subscriber's events: everything that is sent is kept, and what is delivered is chosen anew each time.
    private struct Model {
        let previews: Bool
        var demand: Subscribers.Demand
        var sent: [NumberEvent]
        var end: String?
        var isCancelled = false
        var delivered: [String] = []

        mutating func deliver() {
            while !isCancelled, delivered.last != end || end == nil {
                let wanted = sent.filter { event in
                    if case .degraded = event { previews } else { true }
                }
                let last = wanted.lastIndex { $0.value != nil }
                var next = last ?? wanted.indices.last
                if last == nil, end != nil { next = nil }
                guard let next else {
                    if let end { delivered.append(end) }
                    return
                }
                guard demand > .none else { return }
                demand -= 1
                delivered.append(wanted[next].text)
                sent = Array(wanted[(next + 1)...])
            }
        }
    }

    @Test("Each subscriber gets what a model says: the newest image, then the newest progress; a final image always")
    func model() throws {
        try forAll("coalescing", Self.scripts, cases: 2_000, describe: { "\($0)" }) { script in
            let upstream = ScriptedNumbers()
            let source = upstream.coalesced { _ in CacheKey(["one"]) }
            var models: [Model] = []
            var recorders: [Recorder] = []
            var newest: [NumberEvent] = []
            var count = 0
            func tell(_ event: NumberEvent) {
                // Nobody is there who would have begun a load.
                guard models.contains(where: { !$0.isCancelled }) else { return }
                upstream.send(event)
                newest.append(event)
                for index in models.indices where !models[index].isCancelled {
                    models[index].sent.append(event)
                    models[index].deliver()
                }
            }
            for step in script.steps {
                count += 1
                switch step {
                case .join(let previews, let demand):
                    if !models.contains(where: { !$0.isCancelled }) { newest = [] }
                    // Progress before the newest image is old news.
                    let image = newest.lastIndex { $0.value != nil } ?? 0
                    var model = Model(previews: previews, demand: demand, sent: [])
                    model.sent = [newest.indices.contains(image) ? newest[image] : nil, newest.last].compactMap(\.self)
                    if newest.count - image < 2 { model.sent = Array(model.sent.prefix(1)) }
                    model.deliver()
                    models.append(model)
                    let recorder = Recorder(initialDemand: demand)
                    source.events(for: NumberRequest(previews: previews)).subscribe(recorder)
                    recorders.append(recorder)
                case .request(let index, let demand) where recorders.indices.contains(index):
                    guard !models[index].isCancelled else { break }
                    models[index].demand += demand
                    models[index].deliver()
                    recorders[index].request(demand)
                case .cancel(let index) where recorders.indices.contains(index):
                    models[index].isCancelled = true
                    recorders[index].cancel()
                case .progress: tell(.progress(LoadProgress(received: count)))
                case .degraded: tell(.degraded(count, quality: Double(count) / 100))
                default: break
                }
            }
            if !script.fails { tell(.final(1_000, .network)) }
            if models.contains(where: { !$0.isCancelled }) {
                upstream.send(completion: script.fails ? .failure(.status(500)) : .finished)
            }
            for index in models.indices where !models[index].isCancelled {
                models[index].end = script.fails ? "failure" : "finished"
                models[index].deliver()
                models[index].demand = .unlimited
                models[index].deliver()
                recorders[index].request(.unlimited)
            }
            for (index, recorder) in recorders.enumerated() {
                var got = recorder.values.map(\.text)
                if let completion = recorder.completion {
                    if case .finished = completion { got.append("finished") } else { got.append("failure") }
                }
                guard got == models[index].delivered, recorder.violations.isEmpty else {
                    throw Disproof(
                        "subscriber \(index): \(got), not \(models[index].delivered) \(recorder.violations)")
                }
            }
            if upstream.cancels != upstream.loads { throw Disproof("a load goes on that nobody waits for") }
        }
    }

    // MARK: Interest and priority

    @Test("Previews are wanted while somebody who wants them has demand left, and at no other time")
    func interest() throws {
        let upstream = ScriptedNumbers()
        let source = upstream.coalesced { _ in CacheKey(["one"]) }
        func join(_ previews: Bool, _ demand: Subscribers.Demand) -> Recorder {
            let recorder = Recorder(initialDemand: demand)
            source.events(for: NumberRequest(previews: previews)).subscribe(recorder)
            return recorder
        }
        let plain = join(false, .unlimited)
        let interest = try #require(upstream.request.withLock { $0?.previewInterest })
        #expect(!interest.isWanted, "who wants none has demand enough")
        let silent = join(true, .none)
        #expect(!interest.isWanted)
        silent.request(.max(1))
        #expect(interest.isWanted)
        upstream.send(.progress(LoadProgress(received: 1)))
        #expect(!interest.isWanted, "its demand is used up")
        let eager = join(true, .unlimited)
        #expect(interest.isWanted)
        eager.cancel()
        #expect(!interest.isWanted)
        let last = join(true, .unlimited)
        upstream.send(.final(1, .network))
        upstream.send(completion: .finished)
        #expect(!interest.isWanted, "nobody waits any more")
        #expect([plain, last].allSatisfy { $0.isFinished } && upstream.loads == 1)
    }

    @Test("A load has the highest priority of those who share it, at every moment")
    func priority() throws {
        let upstream = ScriptedNumbers()
        let source = upstream.coalesced { _ in CacheKey(["one"]) }
        func join(_ priority: LoadPriority) -> Recorder {
            let recorder = Recorder()
            source.events(for: NumberRequest(priority: priority)).subscribe(recorder)
            return recorder
        }
        let first = join(.low)
        let priority = try #require(upstream.request.withLock { $0?.priority })
        #expect(priority.level == .low)
        let visibility = LivePriority(.low)
        let second = join(.live(visibility))
        #expect(priority.level == .low)
        visibility.level = .high
        #expect(priority.level == .high)
        let third = join(.normal)
        visibility.level = .low
        #expect(priority.level == .normal)
        third.cancel()
        #expect(priority.level == .low)
        visibility.level = .normal
        second.cancel()
        visibility.level = .high
        #expect(priority.level == .low, "who has left counts no more")
        first.cancel()
        #expect(upstream.cancels == 1)
    }

    @Test(
        "Members that join, change and leave on several threads leave the priority and the interest as they should be")
    func races() throws {
        for _ in 0..<200 {
            let upstream = ScriptedNumbers()
            let source = upstream.coalesced { _ in CacheKey(["one"]) }
            let stays = Recorder(initialDemand: .none)
            source.events(for: NumberRequest(priority: .low)).subscribe(stays)
            let shared = try #require(upstream.request.withLock { $0 })
            let threads = ThreadPoolScheduler(width: 3)
            let done = DispatchGroup()
            for lane in 0..<3 {
                done.enter()
                threads.schedule {
                    for _ in 0..<10 {
                        let visibility = LivePriority(.normal)
                        let recorder = Recorder(initialDemand: .max(lane))
                        source.events(for: NumberRequest(priority: .live(visibility))).subscribe(recorder)
                        visibility.level = .high
                        upstream.send(.degraded(1, quality: 0.5))
                        recorder.cancel()
                    }
                    done.leave()
                }
            }
            done.wait()
            #expect(shared.priority.level == .low)
            #expect(shared.previewInterest?.isWanted == false)
            stays.cancel()
            #expect(upstream.cancels == upstream.loads)
        }
    }

    @Test("Ten thousand who share a load may all leave inside the final value, and each has got it")
    func crowd() {
        let upstream = ScriptedNumbers()
        let source = upstream.coalesced { _ in CacheKey(["one"]) }
        let recorders = (0..<10_000).map { _ in
            Recorder(onValue: { recorder, event in if event.finalValue != nil { recorder.cancelInSignal() } })
        }
        for recorder in recorders { source.events(for: NumberRequest()).subscribe(recorder) }
        upstream.send(.final(7, .network))
        #expect(recorders.allSatisfy { $0.values.map(\.text) == ["f7"] && $0.violations.isEmpty })
        #expect(upstream.loads == 1 && upstream.cancels == 1)
    }

    @Test("Members leave in any order, and the others keep theirs")
    func members() throws {
        let orders = Gen<[Int]> { choices in
            (0..<choices.int(in: 0...40)).map { _ in choices.int(in: -20...40) }
        }
        try forAll("members", orders, describe: { "\($0)" }) { steps in
            var list = MemberList<Int>()
            var model: [(id: Int, member: Int)] = []
            for step in steps {
                if step < 0 {
                    model.append((list.append(step), step))
                } else if model.indices.contains(step % max(1, model.count)) {
                    let removed = model.remove(at: step % model.count)
                    guard list.remove(removed.id) == removed.member, list.remove(removed.id) == nil else {
                        throw Disproof("\(removed) was not there, or twice")
                    }
                }
                guard Array(list.all) == model.map(\.member), list.count == model.count else {
                    throw Disproof("\(Array(list.all)), not \(model.map(\.member))")
                }
            }
        }
    }
}

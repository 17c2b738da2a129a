import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

/// A request for a number; all of them share one load.
private struct NumberRequest: ShareableRequest {
    var previews = true
    var priority = LoadPriority.normal
    var previewInterest: PreviewInterest?
}

private typealias NumberEvent = LoadEvent<Int>

extension LoadEvent<Int> {
    /// The event as text, so that lists of them can be compared.
    fileprivate var text: String {
        switch self {
        case .progress(let progress): "p\(progress.received)"
        case .degraded(let value, quality: _): "d\(value)"
        case .final(let value, _): "f\(value)"
        }
    }
}

/// A source whose one load the test is.
private final class Scripted: Source {
    private let state = Mutex((emitter: Emitter<NumberEvent, LoadError>?.none, loads: 0, cancels: 0))
    let request = Mutex<NumberRequest?>(nil)

    var loads: Int { state.withLock { $0.loads } }
    var cancels: Int { state.withLock { $0.cancels } }

    func events(for request: NumberRequest) -> AnyPublisher<NumberEvent, LoadError> {
        self.request.withLock { $0 = request }
        return AnyPublisher.create { [self] emitter in
            state.withLock { ($0.emitter, $0.loads) = (emitter, $0.loads + 1) }
            return Disposable { self.state.withLock { $0.cancels += 1 } }
        }
    }

    func send(_ event: NumberEvent) {
        state.withLock { $0.emitter }?.onNext(event)
    }

    func send(completion: Subscribers.Completion<LoadError>) {
        state.withLock { $0.emitter }?.send(completion: completion)
    }
}

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

    /// What a subscriber has to get: everything that is sent is kept, and what is delivered is chosen anew each time.
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
            let upstream = Scripted()
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
        let upstream = Scripted()
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
        let upstream = Scripted()
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
            let upstream = Scripted()
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
        let upstream = Scripted()
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

@Suite("Previews that nobody waits for")
struct UnwantedPreviewTests {
    /// A pipeline that counts the degraded images that its decoder makes, and keeps final images behind coalescing.
    private final class Counting: Sendable {
        let made = Mutex(0)
        let cache = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let body = PassthroughSubject<DataEvent, LoadError>()

        func source() -> some Source<ImageRequest, ImageEvent> {
            let bytes = AnySource<ImageRequest, DataEvent> { [body] _ in body.eraseToAnyPublisher() }
            let decoded = bytes.decoded(on: ImmediateScheduler.shared)
            let counted = AnySource<ImageRequest, ImageEvent> { request in
                decoded.events(for: request).handleEvents(receiveOutput: { event in
                    if case .degraded = event { self.made.withLock { $0 += 1 } }
                }).eraseToAnyPublisher()
            }
            return counted.cached(in: cache).coalesced()
        }

        func send(_ bytes: some Collection<UInt8>) {
            body.send(.chunk(Array(bytes)))
        }
    }

    private typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>
    private let request = ImageRequest("http://localhost/a.jpg", as: .fit(PixelSize(width: 64, height: 64)))

    private func photo() throws -> [UInt8] {
        try Pictures.textured(320, 240).encoded(as: .jpeg(quality: 85, progressive: true))
    }

    @Test("None is made for who requests nothing or one event, and the final image is in the cache all the same")
    func unwanted() throws {
        let photo = try photo()
        for demand in [Subscribers.Demand.none, .max(1)] {
            let counting = Counting()
            let recorder = Recorder(initialDemand: demand)
            counting.source().events(for: request).subscribe(recorder)
            counting.body.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
            for start in stride(from: 0, to: photo.count, by: 500) { counting.send(photo[start...].prefix(500)) }
            counting.body.send(completion: .finished)
            // Progress comes before the first picture can: that is the one event.
            #expect(counting.made.withLock { $0 } == 0)
            #expect(counting.cache.value(forKey: request.imageKey) != nil)
            #expect(recorder.values.count == demand.max)
            recorder.request(.unlimited)
            #expect(recorder.values.last?.finalValue != nil && recorder.isFinished)
        }
    }

    @Test("Who joins a load that began without previews gets them from then on; who wants none gets none")
    func joining() throws {
        let photo = try photo()
        let counting = Counting()
        let source = counting.source()
        var plainRequest = request
        plainRequest.previews = false
        let (plain, late) = (Recorder(), Recorder())
        source.events(for: plainRequest).subscribe(plain)
        counting.body.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        let half = photo.count / 2
        for start in stride(from: 0, to: half, by: 500) { counting.send(photo[start..<min(start + 500, half)]) }
        #expect(counting.made.withLock { $0 } == 0)
        source.events(for: request).subscribe(late)
        for start in stride(from: half, to: photo.count, by: 500) { counting.send(photo[start...].prefix(500)) }
        counting.body.send(completion: .finished)
        let made = counting.made.withLock { $0 }
        #expect(made > 0)
        func degraded(_ recorder: Recorder) -> Int {
            recorder.values.count { if case .degraded = $0 { true } else { false } }
        }
        #expect(degraded(late) == made && degraded(plain) == 0)
        #expect(plain.provenance == .network && late.provenance == .network)
    }
}

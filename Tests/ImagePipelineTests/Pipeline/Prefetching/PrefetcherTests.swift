import ImagePipeline
import ImagePipelineTesting
import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Prefetching")
struct PrefetcherTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>

    private func requests(_ numbers: some Sequence<Int>) -> [ImageRequest] {
        numbers.map { .numbered($0) }
    }

    private func open(_ source: Loads) -> [Int] {
        source.loads.filter(\.isOpen).map(\.request.number)
    }

    @Test("Loads begin in the window's order, a few at a time, at low priority and without previews")
    func order() {
        let source = Loads()
        let prefetcher = Prefetcher(of: source, loadsAtOnce: 2)
        prefetcher.window = requests(1...4)
        #expect(open(source) == [1, 2])
        #expect(source.loads.allSatisfy { $0.request.priority.level == .low && !$0.request.previews })
        source.loads[0].finish(with: picture(1))
        #expect(open(source) == [2, 3])
        source.loads[1].end(.failure(.status(404)))
        #expect(open(source) == [3, 4])
        source.loads[2].finish(with: picture(1))
        source.loads[3].finish(with: picture(1))
        prefetcher.window = requests(1...5)
        #expect(open(source) == [5], "what has ended is not begun again while it stays in the window")
    }

    @Test("A window that moves cancels what it leaves behind and begins what is new")
    func difference() {
        let source = Loads()
        let prefetcher = Prefetcher(of: source, loadsAtOnce: 3)
        prefetcher.window = requests(1...4)
        prefetcher.window = requests(3...6)
        #expect(open(source) == [3, 4, 5])
        #expect(source.loads.filter(\.isCancelled).map(\.request.number) == [1, 2])
        prefetcher.window = requests(1...2)
        #expect(open(source) == [1, 2])
        prefetcher.window = []
        #expect(open(source).isEmpty && prefetcher.loads == 0)
    }

    @Test("Paused, no further load begins; those under way go on")
    func paused() {
        let source = Loads()
        let prefetcher = Prefetcher(of: source, loadsAtOnce: 1)
        prefetcher.window = requests(1...3)
        #expect(!prefetcher.isPaused)
        prefetcher.isPaused = true
        #expect(prefetcher.isPaused)
        source.loads[0].finish(with: picture(1))
        #expect(open(source).isEmpty)
        prefetcher.isPaused = false
        #expect(open(source) == [2])
    }

    @Test("None begins while a load that somebody waits for is under way")
    func yielding() {
        let activity = LoadActivity()
        let source = Loads()
        let pipeline = source.counted(in: activity)
        let prefetcher = Prefetcher(of: pipeline, loadsAtOnce: 2, yieldingTo: activity)
        let visible = (100...101).map {
            pipeline.events(for: .numbered($0)).sink { _ in
            } receiveValue: { _ in
            }
        }
        prefetcher.window = requests(1...3)
        #expect(open(source) == [100, 101])
        visible[0].cancel()
        #expect(open(source) == [101])
        source.loads[1].finish(with: picture(1))
        #expect(open(source) == [1, 2])
        #expect(activity.loads == 0, "those of low priority do not count")
        withExtendedLifetime(visible) {}
    }

    @Test(
        "What is wanted while it is prefetched joins its load, at the wanter's priority and with previews from then on")
    func joined() throws {
        let source = Loads()
        let pipeline = source.coalesced()
        let prefetcher = Prefetcher(of: pipeline)
        prefetcher.window = requests(1...1)
        let load = try #require(source.loads.first)
        #expect(load.request.priority.level == .low)
        #expect(load.request.previewInterest?.isWanted == false)
        var request = ImageRequest.numbered(1)
        request.priority = .high
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        pipeline.events(for: request).subscribe(recorder)
        #expect(load.request.priority.level == .high)
        #expect(load.request.previewInterest?.isWanted == true)
        load.send(.degraded(picture(1), quality: 0.5))
        prefetcher.window = []
        #expect(load.isOpen, "leaving the window does not cancel it for who wants it")
        load.finish(with: picture(2))
        #expect(recorder.values.compactMap(\.image).map(\.carriedNumber) == [1, 2])
        #expect(source.loads.count == 1)
    }

    @Test("A window of ten thousand images in memory is gone through without growing the stack")
    func synchronous() {
        let count = Mutex(0)
        let source = AnySource<ImageRequest, ImageEvent> { _ in
            count.withLock { $0 += 1 }
            return Just(.final(picture(1), .memory)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let prefetcher = Prefetcher(of: source)
        prefetcher.window = requests(1...10_000) + requests(1...10)
        #expect(count.withLock { $0 } == 10_000)
        #expect(prefetcher.loads == 0)
    }

    @Test("Released, it cancels what it loads; with it who follows a publisher of windows")
    func released() {
        let source = Loads()
        let windows = PassthroughSubject<[ImageRequest], Never>()
        do {
            let prefetching = windows.prefetch(with: Prefetcher(of: source))
            windows.send(requests(1...2))
            #expect(open(source) == [1, 2])
            prefetching.cancel()
        }
        #expect(open(source).isEmpty)
        let ended = Just(requests(3...4)).prefetch(with: Prefetcher(of: source))
        #expect(open(source) == [3, 4], "the last window counts when the windows have ended")
        ended.cancel()
    }

    @Test("Cancelled, it cancels what it loads and begins nothing more, whatever its window is set to")
    func cancelled() {
        let source = Loads()
        let prefetcher = Prefetcher(of: source)
        prefetcher.window = requests(1...4)
        prefetcher.cancel()
        #expect(open(source).isEmpty && prefetcher.window.isEmpty)
        prefetcher.window = requests(3...6)
        prefetcher.isPaused = false
        #expect(source.loads.count == 2 && prefetcher.window.isEmpty)
    }

    @Test(
        "Under random windows, ends, pauses and visible loads what is under way lies in the window, is not too much, and nothing is forgotten"
    )
    func property() throws {
        enum Step: Sendable { case window(Int, Int), end(Int), fail(Int), pause(Bool), visible, visibleEnds }
        let steps = Gen<Step> { choices in
            switch choices.int(in: 0...7) {
            case 0, 1: .window(choices.int(in: 0...20), choices.int(in: 0...6))
            case 2, 3: .end(choices.int(in: 0...5))
            case 4: .fail(choices.int(in: 0...5))
            case 5: .pause(choices.chance(1, of: 2))
            case 6: .visible
            default: .visibleEnds
            }
        }
        try forAll("a prefetcher", steps.array(upTo: 40), cases: 500) { steps in
            let activity = LoadActivity()
            let source = Loads()
            let prefetcher = Prefetcher(of: source, loadsAtOnce: 3, yieldingTo: activity)
            var visible: [any Cancellable] = []
            var (window, done, isPaused) = (0..<0, Set<Int>(), false)
            for step in steps {
                switch step {
                case .window(let start, let count):
                    window = start..<start + count
                    done.formIntersection(window)
                    prefetcher.window = requests(window)
                case .end(let index), .fail(let index):
                    let loads = source.loads.filter(\.isOpen)
                    guard index < loads.count else { continue }
                    done.insert(loads[index].request.number)
                    if case .fail = step {
                        loads[index].end(.failure(.notCached))
                    } else {
                        loads[index].finish(with: picture(1))
                    }
                case .pause(let pauses):
                    isPaused = pauses
                    prefetcher.isPaused = pauses
                case .visible: visible.append(activity.begin())
                case .visibleEnds: visible.popLast()?.cancel()
                }
                let open = Set(self.open(source))
                guard self.open(source).count == open.count else {
                    throw Disproof("a load is under way twice: \(open)")
                }
                guard open.isSubset(of: window) else { throw Disproof("\(open) beside \(window)") }
                guard open.count <= 3, open.isDisjoint(with: done) else { throw Disproof("\(open), \(done) are done") }
                guard !isPaused, visible.isEmpty else { continue }
                let expected = min(3, window.count - done.count)
                guard open.count == expected else { throw Disproof("\(open) of \(window), \(done) are done") }
            }
        }
    }

    @Test("An urgent image comes while twenty prefetched ones of its host stand still")
    func urgent() async throws {
        let gallery = try Gallery()
        gallery.server.route("/urgent.jpg", .resource(gallery.photo, contentType: "image/jpeg"))
        let slow = (0..<20).map { "/slow\($0).jpg" }
        for path in slow {
            gallery.server.route(
                path, .resource(gallery.photo, contentType: "image/jpeg").failing(.stall(.body(1_000))))
        }
        let pipeline = gallery.pipeline()
        let prefetcher = pipeline.prefetcher()
        prefetcher.window = slow.map { gallery.request($0) }
        try await gallery.server.log.wait(for: .stalled("/slow1.jpg"))
        let image = try await pipeline.image(for: gallery.request("/urgent.jpg"))
        #expect(image.size == PixelSize(width: 64, height: 48))
        #expect(gallery.server.log.requests.count == 3)
        prefetcher.cancel()
    }

    @Test("Prefetched to disk nothing is decoded, and what is there already is not read", .timeLimit(.minutes(5)))
    func disk() async throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        let pipeline = gallery.pipeline()
        let prefetcher = pipeline.prefetcher(to: .disk)
        for _ in 0..<2 {
            prefetcher.window = [gallery.request("/a.jpg")]
            while prefetcher.loads > 0 { await Task.yield() }
            prefetcher.window = []
        }
        let load = gallery.load(gallery.request("/a.jpg"), from: pipeline)
        #expect(load.provenance == .disk)
        #expect(gallery.server.log.requests.count == 1)
    }
}

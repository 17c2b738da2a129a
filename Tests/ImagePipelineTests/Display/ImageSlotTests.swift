import Dispatch
import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Everything that a slot has shown, from whatever thread.
final class ShownContents: Sendable {
    private let contents = Mutex<[ImageSlot.Content]>([])

    var all: [ImageSlot.Content] { contents.withLock { $0 } }
    /// The contents in words: `placeholder`, `degraded 17`, `final 17`.
    var words: [String] { all.map(\.words) }

    func append(_ content: ImageSlot.Content) {
        contents.withLock { $0.append(content) }
    }
}

extension ImageSlot.Content {
    var words: String {
        let picture = image.map { " \($0.carriedNumber ?? -1)" } ?? ""
        return switch state {
        case .empty: "empty" + picture
        case .placeholder: "placeholder" + picture
        case .degraded: "degraded" + picture
        case .final: "final" + picture
        case .failed: "failed" + picture
        }
    }
}

extension ImageRequest {
    static func numbered(_ number: Int) -> ImageRequest {
        ImageRequest("https://example.com/\(number).jpg")
    }

    /// The number of a request that was made by `numbered`.
    var number: Int {
        guard case .url(let url) = resource else { return -1 }
        return Int(url.split(separator: "/").last?.dropLast(4) ?? "") ?? -1
    }
}

func picture(_ number: Int) -> Image { Image(carrying: number, size: PixelSize(width: 8, height: 4)) }

@Suite("An image slot")
struct ImageSlotTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>

    private let shown = ShownContents()

    /// A slot that shows at once, on whatever thread something comes.
    private func slot(
        _ source: some Source<ImageRequest, ImageEvent>, placeholder: Image? = nil, failureImage: Image? = nil,
        reportsProgress: Bool = false
    ) -> ImageSlot {
        ImageSlot(
            source: source, on: ImmediateScheduler(), placeholder: placeholder, failureImage: failureImage,
            reportsProgress: reportsProgress, show: { [shown] in shown.append($0) })
    }

    @Test("What was degraded becomes final; the next request begins with the placeholder")
    func grammar() {
        let source = Loads()
        let slot = slot(source, placeholder: picture(99))
        slot.load(.numbered(1))
        source.loads[0].send(.degraded(picture(1), quality: 0.5))
        source.loads[0].finish(with: picture(2))
        slot.load(.numbered(2))
        slot.prepareForReuse()
        #expect(shown.words == ["placeholder 99", "degraded 1", "final 2", "placeholder 99", "empty"])
        #expect(shown.all.map { $0.request?.number } == [1, 1, 1, 2, nil])
        #expect(source.loads.map(\.isCancelled) == [false, true])
    }

    @Test("An image in memory is shown without a placeholder before it, at once; one that comes later says so")
    func atOnce() {
        let source = Loads { load in if load.request.number == 1 { load.finish(with: picture(1), from: .memory) } }
        let slot = slot(source)
        slot.load(.numbered(1))
        #expect(shown.words == ["final 1"])
        #expect(shown.all.last?.cameAtOnce == true)
        slot.load(.numbered(2))
        source.loads[1].finish(with: picture(2))
        #expect(shown.words == ["final 1", "placeholder", "final 2"])
        #expect(shown.all.map(\.cameAtOnce) == [true, true, false])
    }

    @Test("A load begun while showing an image from memory counts", arguments: [true, false])
    func reentrant(secondIsInMemory: Bool) throws {
        let source = Loads { load in
            if load.request.number == 1 || secondIsInMemory { load.finish(with: picture(load.request.number)) }
        }
        let slots = Mutex<ImageSlot?>(nil)
        let slot = ImageSlot(source: source, on: ImmediateScheduler()) { [shown] content in
            shown.append(content)
            if content.words == "final 1" { slots.withLock { $0 }?.load(.numbered(2)) }
        }
        slots.withLock { $0 = slot }
        slot.load(.numbered(1))
        if !secondIsInMemory { source.loads[1].finish(with: picture(2)) }
        #expect(shown.words == (secondIsInMemory ? ["final 1", "final 2"] : ["final 1", "placeholder", "final 2"]))
        #expect(source.loads.count == 2)
        slots.withLock { $0 = nil }
    }

    @Test("An image may stay until there is one of the next request, and after that has failed")
    func keeping() {
        let source = Loads()
        let slot = slot(source, placeholder: picture(98), failureImage: picture(99))
        slot.load(.numbered(1))
        source.loads[0].finish(with: picture(1))
        slot.load(.numbered(2), keepingImage: true)
        source.loads[1].finish(with: picture(2))
        slot.load(.numbered(3), keepingImage: true)
        source.loads[2].end(.failure(.status(500)))
        #expect(shown.words == ["placeholder 98", "final 1", "placeholder 1", "final 2", "placeholder 2", "failed 2"])
        slot.load(.numbered(4))
        slot.load(.numbered(5), keepingImage: true)
        #expect(
            shown.words.suffix(2) == ["placeholder 98", "placeholder 98"], "nothing was shown of the fourth to be kept")
    }

    @Test("A failure shows the failure image, and the user may try again; after anything else that does nothing")
    func retry() {
        let source = Loads()
        let slot = slot(source, failureImage: picture(99))
        slot.retry()
        slot.load(.numbered(1))
        slot.retry()
        source.loads[0].end(.failure(.status(500)))
        guard case .status(500)? = shown.all.last?.error else { return #expect(Bool(false), "no error") }
        slot.retry()
        source.loads[1].send(.degraded(picture(1), quality: 0.1))
        source.loads[1].end(.failure(.status(500)))
        slot.retry()
        source.loads[2].finish(with: picture(2))
        slot.retry()
        #expect(
            shown.words == [
                "placeholder", "failed 99", "placeholder", "degraded 1", "failed 1", "placeholder 1", "final 2",
            ])
        #expect(source.loads.count == 3)
    }

    @Test("A source that finishes without an image has failed")
    func noImage() {
        let source = Loads()
        let slot = slot(source)
        slot.load(.numbered(1))
        source.loads[0].end()
        #expect(shown.words == ["placeholder", "failed"])
        slot.prepareForReuse()
    }

    @Test("Progress is shown where it was asked for, and takes the place of no image")
    func progress() {
        let source = Loads()
        let quiet = slot(source)
        quiet.load(.numbered(1))
        source.loads[0].send(.progress(LoadProgress(received: 5, expected: 10)))
        #expect(shown.words == ["placeholder"])
        #expect(source.loads[0].requested == .max(1), "what is not shown is not waited for")
        source.loads[0].send(.degraded(picture(1), quality: 0.5))
        #expect(shown.all.last?.progress == LoadProgress(received: 5, expected: 10))
        let slot = slot(source, reportsProgress: true)
        slot.load(.numbered(2))
        source.loads[1].send(.progress(LoadProgress(received: 5)))
        source.loads[1].send(.degraded(picture(2), quality: 0.5))
        source.loads[1].send(.progress(LoadProgress(received: 6)))
        #expect(shown.words.suffix(4) == ["placeholder", "placeholder", "degraded 2", "degraded 2"])
        #expect(shown.all.suffix(4).map { $0.progress?.received } == [nil, 5, 5, 6])
    }

    @Test("One event is requested at a time: what a busy context cannot show is replaced, and the final image is not")
    func demand() {
        let clock = VirtualTimeScheduler()
        let source = Loads(.latest)
        let slot = ImageSlot(source: source, on: clock) { [shown] in shown.append($0) }
        slot.load(.numbered(1))
        clock.run()
        for step in 1...9 { source.loads[0].send(.degraded(picture(step), quality: 0.1 * Double(step))) }
        source.loads[0].finish(with: picture(10))
        #expect(source.loads[0].requested == .none)
        clock.run()
        #expect(shown.words == ["placeholder", "degraded 1", "final 10"])
    }

    @Test("A slot that is released cancels its load and shows nothing more")
    func released() {
        let clock = VirtualTimeScheduler()
        let source = Loads()
        do {
            let slot = ImageSlot(source: source, on: clock) { [shown] in shown.append($0) }
            slot.load(.numbered(1))
            source.loads[0].send(.degraded(picture(1), quality: 0.5))
        }
        clock.run()
        #expect(source.loads[0].isCancelled)
        #expect(shown.words.isEmpty)
    }

    @MainActor
    @Test("On the main actor an image in memory is shown before load returns, and what comes elsewhere hops there")
    func mainActor() async {
        let source = Loads { load in if load.request.number == 1 { load.finish(with: picture(1), from: .memory) } }
        var words: [String] = []
        var waiting: CheckedContinuation<Void, Never>?
        let slot = ImageSlot(source: source) { content in
            words.append(content.words)
            if content.isOver { waiting?.resume() }
        }
        slot.load(.numbered(1))
        #expect(words == ["final 1"])
        slot.load(.numbered(2))
        #expect(words == ["final 1", "placeholder"])
        await withCheckedContinuation { continuation in
            waiting = continuation
            DispatchQueue.global().async { source.loads[1].finish(with: picture(2)) }
        }
        #expect(words == ["final 1", "placeholder", "final 2"])
    }

    private actor Cell {
        private(set) var words: [String] = []
        private var slot: ImageSlot?
        private var waiting: CheckedContinuation<Void, Never>?

        func load(_ request: ImageRequest, from source: Loads) {
            let slot =
                slot
                ?? ImageSlot(source: source, on: self) { cell, content in
                    cell.words.append(content.words)
                    if content.isOver { cell.waiting.take()?.resume() }
                }
            self.slot = slot
            slot.load(request)
        }

        func end(_ source: Loads) async {
            await withCheckedContinuation { continuation in
                waiting = continuation
                DispatchQueue.global().async { source.loads.last?.finish(with: picture(2)) }
            }
        }
    }

    @Test("On an actor an image in memory is shown before load returns, and what comes elsewhere hops there")
    func actor() async {
        let source = Loads { load in if load.request.number == 1 { load.finish(with: picture(1), from: .memory) } }
        let cell = Cell()
        await cell.load(.numbered(1), from: source)
        #expect(await cell.words == ["final 1"])
        await cell.load(.numbered(2), from: source)
        await cell.end(source)
        #expect(await cell.words == ["final 1", "placeholder", "final 2"])
    }

    @Test(
        "Loads from several threads at once: the last word is the newest request's, and every superseded load is cancelled"
    )
    func threads() {
        let queue = DispatchQueue(label: "show")
        for round in 0..<200 {
            let source = Loads()
            let shown = ShownContents()
            let slot = ImageSlot(source: source, on: queue) { shown.append($0) }
            DispatchQueue.concurrentPerform(iterations: 4) { lane in
                for step in 0..<5 {
                    slot.load(.numbered(lane * 5 + step))
                    source.loads.randomElement()?.send(.degraded(picture(0), quality: 0))
                }
            }
            let open = source.loads.filter(\.isOpen)
            #expect(open.count == 1, "round \(round)")
            open.first?.finish(with: picture(77))
            queue.sync {}
            queue.sync {}
            #expect(shown.words.last == "final 77", "round \(round)")
            #expect(shown.words.filter { $0 == "final 77" }.count == 1)
        }
    }
}

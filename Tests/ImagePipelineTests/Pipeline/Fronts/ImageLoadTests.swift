import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("A load's handle")
struct ImageLoadTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>

    @Test("Loads without anybody watching, tells its progress, and makes previews only for those who watch")
    func alone() throws {
        let source = Loads()
        let load = source.coalesced().load(.numbered(1))
        let begun = try #require(source.loads.first)
        #expect(begun.request.previewInterest?.isWanted != true)
        #expect(load.progress == nil)
        begun.send(.progress(LoadProgress(received: 10, expected: 20)))
        #expect(load.progress == LoadProgress(received: 10, expected: 20))
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        load.events.subscribe(recorder)
        #expect(begun.request.previewInterest?.isWanted == true)
        begun.finish(with: picture(1))
        #expect(load.isOver)
        let late = RecordingSubscriber<ImageEvent, LoadError>()
        load.events.subscribe(late)
        #expect(recorder.provenance == .network && late.provenance == .network)
        #expect(source.loads.count == 1)
    }

    @Test("Its image is that of its own load, and no other one is begun for it")
    func ownImage() async throws {
        let source = Loads()
        // Nobody shares a load.
        let load = source.load(.numbered(1))
        let begun = try #require(source.loads.first)
        async let image = load.image
        for _ in 0..<100 { await Task.yield() }
        begun.finish(with: picture(1))
        #expect(try await image == picture(1))
        #expect(try await load.image == picture(1))
        #expect(source.loads.count == 1)
    }

    @Test("Its priority changes where the load waits", arguments: [false, true])
    func priority(isLive: Bool) throws {
        let source = Loads()
        var request = ImageRequest.numbered(1)
        request.priority = isLive ? .live(LivePriority(.low)) : .low
        let load = source.coalesced().load(request)
        let begun = try #require(source.loads.first)
        #expect(begun.request.priority.level == .low)
        load.priority = .high
        #expect(begun.request.priority.level == .high)
        #expect(load.priority == .high)
    }

    @Test("Released with all who watch it, it cancels the load; one who watches keeps it")
    func released() throws {
        let source = Loads()
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        source.coalesced().load(.numbered(1)).events.subscribe(recorder)
        #expect(try #require(source.loads.first).isOpen)
        recorder.cancel()
        #expect(try #require(source.loads.first).isCancelled)
        _ = source.coalesced().load(.numbered(2))
        #expect(try #require(source.loads.last).isCancelled)
    }

    @Test("A cancel fails everybody who watches, and who comes later")
    func cancel() {
        let source = Loads()
        let load = source.coalesced().load(.numbered(1))
        let recorders = (0..<3).map { _ in RecordingSubscriber<ImageEvent, LoadError>() }
        for recorder in recorders.dropLast() { load.events.subscribe(recorder) }
        load.cancel()
        load.events.subscribe(recorders[2])
        for recorder in recorders {
            guard case .cancelled? = recorder.failure else { return #expect(Bool(false), "\(recorder.failure as Any)") }
        }
        #expect(source.loads.count == 1 && source.loads[0].isCancelled)
    }

    @Test("Who comes to it while others are told of the final image gets the handle's own")
    func watchedInFinal() throws {
        let source = Loads()
        let shared = source.coalesced()
        let (first, watcher) = (
            RecordingSubscriber<ImageEvent, LoadError>(), RecordingSubscriber<ImageEvent, LoadError>()
        )
        let load = Mutex<ImageLoad?>(nil)
        shared.events(for: .numbered(1))
            .handleEvents(receiveOutput: { event in
                if event.finalValue != nil { load.withLock { $0 }?.events.subscribe(watcher) }
            })
            .subscribe(first)
        let handle = shared.load(.numbered(1))
        load.withLock { $0 = handle }
        source.loads[0].finish(with: picture(7))
        #expect(watcher.isFinished && watcher.values.map { $0.finalValue } == [picture(7)])
        #expect(!source.loads.dropFirst().contains { !$0.isCancelled })
    }

    @Test("Whoever watches gets the handle's own final image, also where loads are not shared and another is first")
    func ownFinal() {
        let source = Loads()
        let load = source.load(.numbered(1))
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        load.events.subscribe(recorder)
        source.loads[1].finish(with: picture(2))
        #expect(recorder.values.isEmpty && !recorder.isFinished)
        source.loads[0].finish(with: picture(1))
        #expect(recorder.isFinished && recorder.values.map { $0.finalValue } == [picture(1)])
    }

    @Test("Who requests one event at a time gets the newest, and after the end nothing but the final image")
    func newest() throws {
        let source = Loads()
        let load = source.coalesced().load(.numbered(1))
        let begun = try #require(source.loads.first)
        let recorders = (0..<2).map { _ in RecordingSubscriber<ImageEvent, LoadError>(initialDemand: .none) }
        for recorder in recorders { load.events.subscribe(recorder) }
        for step in 1...6 {
            if step == 4 { recorders[0].request(.max(1)) }
            begun.send(.degraded(picture(step), quality: Double(step) / 10))
        }
        recorders[0].request(.max(1))
        #expect(recorders[0].values.compactMap { $0.image?.carriedNumber } == [3, 6])
        begun.send(.degraded(picture(7), quality: 0.7))
        begun.finish(with: picture(8))
        for recorder in recorders { recorder.request(.max(1)) }
        #expect(recorders[0].values.compactMap { $0.image?.carriedNumber } == [3, 6, 8])
        #expect(recorders[1].values.compactMap { $0.image?.carriedNumber } == [8])
        #expect(recorders.allSatisfy { $0.isFinished && $0.violations.isEmpty })
    }
}

import Dispatch
import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization
import Testing

/// The events of a load: pictures by their numbers, and the end.
final class FrontRecord: Sendable {
    private struct State: Sendable {
        var pictures: [Int] = []
        var endings: [String] = []
    }

    private let state = Mutex(State())

    var pictures: [Int] { state.withLock { $0.pictures } }
    var endings: [String] { state.withLock { $0.endings } }

    func append(_ image: Image) {
        state.withLock { $0.pictures.append(image.carriedNumber ?? -1) }
    }

    func end(_ error: LoadError? = nil) {
        state.withLock { $0.endings.append(error.map { "\($0)" } ?? "finished") }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        if case .failure(let error) = completion { end(error) } else { end() }
    }

    /// Lets other tasks run until there is an ending.
    func waitForEnd() async {
        while endings.isEmpty { await Task.yield() }
    }
}

typealias AnyImageSource = AnySource<ImageRequest, ImageEvent>

/// A way to get an image.
enum Front: String, CaseIterable, Sendable {
    case events, eventsOneByOne, sequence, image, load, loadImage, slot, requests

    /// Whether previews reach whoever uses it.
    var showsPreviews: Bool { self != .image && self != .loadImage }

    func start(_ request: ImageRequest, from source: AnyImageSource, _ record: FrontRecord) -> any Cancellable {
        switch self {
        case .events:
            return source.events(for: request).sink(
                receiveCompletion: { record.end($0) },
                receiveValue: { if let image = $0.image { record.append(image) } })
        case .eventsOneByOne:
            let recorder = RecordingSubscriber<ImageEvent, LoadError>(
                demand: .oneByOne, onValue: { _, event in if let image = event.image { record.append(image) } })
            source.events(for: request).handleEvents(receiveCompletion: { record.end($0) }).subscribe(recorder)
            return Disposable { recorder.cancel() }
        case .sequence:
            return task(record) { () async throws(LoadError) in
                var images = source.images(for: request).makeAsyncIterator()
                while let image = try await images.next() { record.append(image) }
            }
        case .image:
            return task(record) { () async throws(LoadError) in record.append(try await source.image(for: request)) }
        case .load:
            let load = AnySource(source.coalesced()).load(request)
            let watching = load.events.sink(
                receiveCompletion: { record.end($0) },
                receiveValue: { if let image = $0.image { record.append(image) } })
            return Disposable {
                watching.cancel()
                load.cancel()
            }
        case .loadImage:
            let load = AnySource(source.coalesced()).load(request)
            let waiting = task(record) { () async throws(LoadError) in record.append(try await load.image) }
            return Disposable {
                load.cancel()
                waiting.cancel()
            }
        case .slot:
            let slot = ImageSlot(source: source, on: ImmediateScheduler()) { content in
                switch content.state {
                case .degraded, .final:
                    if let image = content.image { record.append(image) }
                default: break
                }
                if content.isOver { record.end(content.error) }
            }
            slot.load(request)
            return Disposable { slot.prepareForReuse() }
        case .requests:
            return Just(request).images(from: source).sink { content in
                if let image = content.image { record.append(image) }
                if content.isOver { record.end(content.error) }
            }
        }
    }

    private func task(
        _ record: FrontRecord, _ body: @escaping @Sendable () async throws(LoadError) -> Void
    ) -> any Cancellable {
        let task = Task {
            do throws(LoadError) {
                try await body()
                record.end()
            } catch {
                record.end(error)
            }
        }
        return Disposable { task.cancel() }
    }
}

@Suite("Every front")
struct FrontTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>

    private let record = FrontRecord()

    /// Lets other tasks run until a load has begun and wants something.
    private func begun(_ source: Loads) async -> Loads.Load {
        while true {
            if let load = source.loads.last, load.requested > .none || !load.isOpen { return load }
            await Task.yield()
        }
    }

    @Test("Delivers degraded images, where it shows them, then the final one, then the end", arguments: Front.allCases)
    func grammar(front: Front) async {
        let source = Loads()
        let use = front.start(.numbered(1), from: AnySource(source), record)
        let load = await begun(source)
        #expect(load.request.previews == front.showsPreviews || load.request.previewInterest != nil)
        load.send(.progress(LoadProgress(received: 1)))
        load.send(.degraded(picture(1), quality: 0.5))
        load.finish(with: picture(2))
        await record.waitForEnd()
        // A sequence that was still busy with the beginning gets the newest.
        #expect(record.pictures == (front.showsPreviews ? [1, 2] : [2]) || front == .sequence)
        #expect(record.pictures.last == 2)
        #expect(record.endings == ["finished"])
        use.cancel()
        #expect(record.endings == ["finished"])
    }

    @Test("Delivers an image in memory", arguments: Front.allCases)
    func inMemory(front: Front) async {
        let source = Loads { $0.finish(with: picture(3), from: .memory) }
        let use = front.start(.numbered(1), from: AnySource(source), record)
        await record.waitForEnd()
        #expect(record.pictures == [3])
        #expect(record.endings == ["finished"])
        #expect(source.loads.count == 1)
        use.cancel()
    }

    @Test("Ends with the first image that is good enough, where the request says so", arguments: Front.allCases)
    func fast(front: Front) async {
        let source = Loads()
        var request = ImageRequest.numbered(1)
        request.delivery = .fast(quality: 0.5)
        let use = front.start(request, from: AnySource(source.coalesced().delivered()), record)
        let load = await begun(source)
        #expect(load.request.previewInterest?.isWanted == true)
        load.send(.degraded(picture(2), quality: 0.6))
        await record.waitForEnd()
        #expect(record.pictures == [2])
        #expect(record.endings == ["finished"])
        #expect(load.isCancelled)
        use.cancel()
    }

    @Test("Fails with the load's error, once", arguments: Front.allCases)
    func failure(front: Front) async {
        let source = Loads()
        let use = front.start(.numbered(1), from: AnySource(source), record)
        await begun(source).end(.failure(.status(404)))
        await record.waitForEnd()
        #expect(record.pictures.isEmpty)
        #expect(record.endings == ["\(LoadError.status(404))"])
        use.cancel()
    }

    @Test("A cancel ends the load, and nothing follows but the word that it was", arguments: Front.allCases)
    func cancel(front: Front) async {
        let source = Loads()
        let use = front.start(.numbered(1), from: AnySource(source), record)
        let load = await begun(source)
        use.cancel()
        while !load.isCancelled { await Task.yield() }
        load.finish(with: picture(1))
        #expect(record.pictures.isEmpty)
        switch front {
        case .image, .loadImage:
            await record.waitForEnd()
            #expect(record.endings == ["\(LoadError.cancelled)"])
        case .sequence:
            await record.waitForEnd()
            #expect(record.endings == ["finished"])
        default: #expect(record.endings.isEmpty)
        }
    }

    @Test("A limit in time cancels the load and says so; what came in time stays", arguments: Front.allCases)
    func timeout(front: Front) async {
        let clock = VirtualTimeScheduler()
        let source = Loads()
        let limited = AnySource(source.timingOut(after: .seconds(10), on: clock))
        let use = front.start(.numbered(1), from: limited, record)
        let load = await begun(source)
        load.send(.progress(LoadProgress(received: 1)))
        clock.advance(by: .milliseconds(9_999))
        #expect(record.endings.isEmpty)
        clock.advance(by: .milliseconds(1))
        await record.waitForEnd()
        #expect(load.isCancelled)
        #expect(record.endings == ["no final image within 10.0 seconds"])
        use.cancel()
    }

    @Test("A limit in time that is kept leaves nothing behind", arguments: Front.allCases)
    func inTime(front: Front) async {
        let clock = VirtualTimeScheduler()
        let source = Loads()
        let use = front.start(.numbered(1), from: AnySource(source.timingOut(after: .seconds(10), on: clock)), record)
        await begun(source).finish(with: picture(2))
        await record.waitForEnd()
        #expect(record.endings == ["finished"])
        clock.run()
        #expect(record.endings == ["finished"])
        #expect(record.pictures == [2])
        use.cancel()
    }

    @Test("The limit counts no longer once the final image was delivered, though its end has not")
    func limitBetweenFinalAndEnd() {
        let clock = VirtualTimeScheduler()
        let source = Loads()
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        source.timingOut(after: .seconds(1), on: clock).events(for: .numbered(1)).subscribe(recorder)
        source.loads[0].send(.final(picture(1), .network))
        clock.advance(by: .seconds(2))
        #expect(recorder.provenance == .network)
        #expect(recorder.violations.isEmpty)
    }
}

import Files
import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Stages as operators on publishers")
struct StageOperatorTests {
    typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>

    struct Unplugged: Error, CustomStringConvertible {
        let description = "unplugged"
    }

    private let file: [UInt8]
    private let half = Rendition.fit(PixelSize(width: 128, height: 64))

    init() throws {
        file = try Image(carrying: 4_711, size: PixelSize(width: 256, height: 128))
            .encoded(as: .jpeg(quality: 90, progressive: true))
    }

    /// The file in chunks of this many bytes, with an empty one between any two.
    private func chunks(of count: Int) -> [[UInt8]] {
        stride(from: 0, to: file.count, by: count).flatMap { [Array(file[$0..<min($0 + count, file.count)]), []] }
    }

    @Test("Any publisher of bytes is decoded as they arrive, at the size asked for", arguments: [1, 100, 1 << 20])
    func decoded(count: Int) {
        let recorder = Recorder()
        chunks(of: count).publisher.decoded(to: half).subscribe(recorder)
        #expect(recorder.provenance == .data)
        #expect(recorder.violations.isEmpty)
        let images = recorder.values.compactMap(\.image)
        #expect(images.allSatisfy { $0.size == PixelSize(width: 128, height: 64) })
        #expect(images.last?.carriedNumber == 4_711)
        #expect(count > 100 || images.count > 1, "degraded images come first")
    }

    @Test("A publisher's failure is the load's: a LoadError as it is, any other with its words")
    func failure() {
        let bytes = PassthroughSubject<[UInt8], any Error>()
        let recorder = Recorder()
        bytes.decoded(to: half).subscribe(recorder)
        bytes.send(Array(file.prefix(100)))
        bytes.send(completion: .failure(Unplugged()))
        guard case .stream("unplugged")? = recorder.failure else {
            return #expect(Bool(false), "\(recorder.failure as Any)")
        }
        let other = Recorder()
        Fail<[UInt8], LoadError>(error: .status(404)).decoded().subscribe(other)
        guard case .status(404)? = other.failure else { return #expect(Bool(false), "\(other.failure as Any)") }
    }

    @Test("Bytes that end too early are shown or refused, as asked; those of no image fail")
    func truncated() {
        let shown = Recorder()
        [Array(file.dropLast(50))].publisher.decoded().subscribe(shown)
        #expect(shown.values.last?.finalValue?.damage?.kind == .truncated)
        let short = Recorder()
        [Array(file.dropLast(50))].publisher.decoded(to: Rendition(damage: .refuse)).subscribe(short)
        guard case .decode? = short.failure else { return #expect(Bool(false), "\(short.failure as Any)") }
        let none = Recorder()
        [[UInt8]]().publisher.decoded().subscribe(none)
        guard case .notAnImage? = none.failure else { return #expect(Bool(false), "\(none.failure as Any)") }
    }

    @Test("A decoder asks for a few chunks ahead, and a cancel reaches the publisher")
    func demand() {
        let source = ScriptedSource<Int, [UInt8]>()
        let recorder = Recorder(initialDemand: .none)
        source.events(for: 1).decoded(to: half).subscribe(recorder)
        #expect(source.loads.count == 1)
        #expect(source.loads[0].requested < .max(10))
        recorder.cancel()
        #expect(source.loads[0].isCancelled)
    }

    @Test("Processors apply to degraded images and to the final one, on the scheduler given")
    func processed() {
        let clock = VirtualTimeScheduler()
        let source = ScriptedSource<Int, ImageEvent>()
        let recorder = Recorder()
        source.events(for: 1).processed(by: .crop(PixelSize(width: 4, height: 4)), on: clock).subscribe(recorder)
        source.loads[0].send(.progress(LoadProgress(received: 1)))
        source.loads[0].send(.degraded(picture(1), quality: 0.5))
        source.loads[0].finish(with: picture(2))
        clock.run()
        #expect(
            recorder.values.compactMap(\.image).map(\.size) == [
                PixelSize(width: 4, height: 4), PixelSize(width: 4, height: 4),
            ])
        #expect(recorder.provenance == .network)
        #expect(recorder.values.count == 3)
    }

    @Test("images leaves out progress, finalImage all but the last")
    func images() {
        let source = ScriptedSource<Int, ImageEvent>()
        let images = RecordingSubscriber<Image, LoadError>()
        let finals = RecordingSubscriber<Image, LoadError>()
        source.events(for: 1).images.subscribe(images)
        source.events(for: 1).finalImage.subscribe(finals)
        for load in source.loads {
            load.send(.progress(LoadProgress(received: 1)))
            load.send(.degraded(picture(1), quality: 0.5))
            load.finish(with: picture(2))
        }
        #expect(images.values.map(\.carriedNumber) == [1, 2])
        #expect(finals.values.map(\.carriedNumber) == [2])
        #expect(images.isFinished && finals.isFinished)
    }

    @Test("A request may have a publisher of bytes as its resource: once for each load, found in memory by its name")
    func streamResource() async throws {
        let subscriptions = Mutex(0)
        let pipeline = ImageLoader.standard()
        @Sendable func request(_ name: String) -> ImageRequest {
            ImageRequest(stream: name, as: half) { [chunks = chunks(of: 50)] in
                subscriptions.withLock { $0 += 1 }
                return chunks.publisher
            }
        }
        #expect(subscriptions.withLock { $0 } == 0)
        for name in ["a", "a", "b"] {
            #expect(try await pipeline.image(for: request(name)).carriedNumber == 4_711)
        }
        #expect(subscriptions.withLock { $0 } == 2)
        #expect(request("a") == request("a") && request("a") != request("b"))
        #expect(request("a").dataKey != request("b").dataKey)
        var named = ImageRequest("file")
        named.resource = .file("a")
        #expect(request("a").dataKey != named.dataKey)
        let failing = ImageRequest(stream: "c") { Fail<[UInt8], Unplugged>(error: Unplugged()) }
        await #expect(throws: LoadError.self) { try await pipeline.image(for: failing) }
    }
}

import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("One decode for several sizes")
struct DecodePassTests {
    typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>

    /// Bytes that the test sends to the loads that are there, and how many there have been.
    final class Body: Source {
        let bytes = PassthroughSubject<DataEvent, LoadError>()
        let loads = Atomic(0)

        func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
            Deferred { [self] in
                loads.wrappingAdd(1, ordering: .relaxed)
                return bytes
            }.eraseToAnyPublisher()
        }

        var count: Int { loads.load(ordering: .relaxed) }

        func send(_ photo: some Collection<UInt8>, of length: Int) {
            bytes.send(.response(DataResponse(provenance: .network, expectedLength: length)))
            bytes.send(.chunk(Array(photo)))
        }
    }

    let body = Body()

    func request(_ side: Int, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest("http://localhost/a.jpg", as: .fit(PixelSize(width: side, height: side)))
        change(&request)
        return request
    }

    func load(_ source: some Source<ImageRequest, ImageEvent>, _ request: ImageRequest) -> Recorder {
        let recorder = Recorder()
        source.events(for: request).subscribe(recorder)
        return recorder
    }

    private func photo() throws -> [UInt8] {
        try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85, progressive: true))
    }

    @Test("Ten sizes are one load and one decode; each gets its own, and previews of its own size")
    func sizes() throws {
        let source = body.decoded(on: ImmediateScheduler.shared)
        let sides = [60, 10, 100, 20, 50, 30, 90, 70, 40, 80]
        let recorders = sides.map { load(source, request($0)) }
        let photo = try photo()
        body.bytes.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        for start in stride(from: 0, to: photo.count, by: 300) {
            body.bytes.send(.chunk(Array(photo[start...].prefix(300))))
        }
        body.bytes.send(completion: .finished)
        #expect(body.count == 1)
        for (side, recorder) in zip(sides, recorders) {
            #expect(recorder.provenance == .network && recorder.violations.isEmpty)
            let images = recorder.values.compactMap(\.image)
            #expect(images.count > 1 && images.allSatisfy { $0.width == side })
            let alone = try Image.decode(photo, options: DecodeOptions(as: request(side).rendition))
            if let image = images.last { #expect(Pictures.psnr(image, alone) > 38, "\(side)") }
        }
    }

    @Test("A thousand who want ten sizes of a body on disk read it once")
    func fromDisk() throws {
        let photo = try photo()
        /// The calls that are no reading, and where what was read began.
        func work(of count: Int) -> (others: Int, offsets: [Int]) {
            let store = ScriptedStore(terms: StoreTerms(timeLimit: .seconds(3_600), leaseTime: nil))
            store.state.withLock { $0.bodies[request(10).dataKey] = photo }
            let source = body.cached(in: store, on: ThreadPoolScheduler(width: 4)).coalesced()
                .decoded(on: ThreadPoolScheduler(width: 2))
            store.set(.hanging)
            let recorders = (0..<count).map { load(source, request(10 + $0 % 10 * 9)) }
            store.waitForHung(1)
            store.letGo()
            for recorder in recorders { #expect(recorder.waitForCompletion() && recorder.provenance == .disk) }
            return store.state.withLock { ($0.calls - $0.offsets.count, $0.offsets) }
        }
        let (one, thousand) = (work(of: 1), work(of: 1_000))
        #expect(thousand.others == one.others)
        // A decode that has all rows stops the reading, if it comes to that before the last pieces are read.
        let pieces = stride(from: 0, to: photo.count, by: 1_000).prefix(thousand.offsets.count)
        #expect(thousand.offsets == pieces.map { $0 })
        #expect(body.count == 0)
    }

    @Test("Who joins when some of the body has come shares the pass; what differs in more than its size has its own")
    func joining() throws {
        let source = body.decoded(on: ImmediateScheduler.shared)
        let photo = try photo()
        let small = load(source, request(20))
        body.send(photo.prefix(2_000), of: photo.count)
        let large = load(source, request(100))
        let processed = load(source, request(20) { $0.rendition.processors = [.grayscale] })
        #expect(body.count == 1)
        let others = [
            load(source, request(20) { $0.rendition.filter = .bilinear }),
            load(source, request(20) { $0.headers = [HTTPField("Cache-Control", "no-cache")] }),
            load(source, request(20) { $0.version = "2" }),
        ]
        #expect(body.count == 4)
        for recorder in others { recorder.cancel() }
        body.bytes.send(.chunk(Array(photo[2_000...])))
        body.bytes.send(completion: .finished)
        for (recorder, side) in [(small, 20), (large, 100), (processed, 20)] {
            #expect(recorder.provenance == .network)
            #expect(recorder.values.last?.image?.width == side)
        }
    }

    @Test(
        "A pass that has gone on for too long lets no further size in, but one that it makes",
        arguments: [(bytes: 256 << 10, loads: 1), (262_145, 2), (300 << 10, 2)])
    func closed(bytes: Int, loads: Int) throws {
        let source = body.decoded(
            decoders: ImageDecoders.standard.adding(PlainDecoder.self), on: ImmediateScheduler.shared)
        let first = load(source, request(20))
        let start = Array("PLN".utf8) + [UInt8](repeating: 0, count: bytes - 3)
        body.send(start, of: start.count)
        let same = load(source, request(20))
        #expect(body.count == 1)
        let other = load(source, request(30))
        #expect(body.count == loads)
        body.bytes.send(completion: .finished)
        // One that was let in late, and is larger, is what a decoder of one image makes; nothing comes for the others.
        #expect((first.provenance == .network && same.provenance == .network) == (loads == 2))
        #expect(other.completion != nil)
    }

    /// A source that gives each load the same bytes.
    final class Stored: Source {
        let bytes: [UInt8]
        let chunk: Int
        let loads = Atomic(0)

        init(_ bytes: [UInt8], inChunksOf chunk: Int = 1_000) { (self.bytes, self.chunk) = (bytes, chunk) }

        func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
            Deferred { [self] in
                loads.wrappingAdd(1, ordering: .relaxed)
                var events = [DataEvent.response(DataResponse(provenance: .disk, expectedLength: bytes.count))]
                for start in stride(from: 0, to: bytes.count, by: chunk) {
                    events.append(.chunk(Array(bytes[start...].prefix(chunk))))
                }
                return events.publisher
            }.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }

        var count: Int { loads.load(ordering: .relaxed) }
    }

    @Test("A decoder that makes one image at a time decodes for each of them")
    func singly() throws {
        let time = VirtualTimeScheduler()
        let file = Stored(Array("PLN".utf8) + [1, 2, 3, 4, 5, 6, 7, 8])
        let source = file.decoded(decoders: ImageDecoders.standard.adding(PlainDecoder.self), on: time)
        let recorders = [10, 20, 30, 40].map { load(source, request($0)) }
        time.run()
        #expect(recorders.allSatisfy { $0.provenance == .disk && $0.violations.isEmpty })
        #expect(file.count == 4)
    }

    @Test(
        "Sizes of line art are not made of each other: all but the largest are made in a second pass, none with a worse preview or less progress"
    )
    func lineArt() throws {
        let time = VirtualTimeScheduler()
        // As large as one must be for that.
        let art = try Pictures.hatched(2_600, 1_700).encoded(
            as: .jpeg(quality: 95, progressive: true, subsampling: .yuv444))
        let file = Stored(art, inChunksOf: 100_000)
        let source = file.decoded(on: time)
        let sides = [900, 1_300, 450, 640, 900]
        let recorders = sides.map { load(source, request($0)) }
        time.run()
        #expect(file.count == 2)
        for (side, recorder) in zip(sides, recorders) {
            #expect(recorder.provenance == .disk && recorder.violations.isEmpty)
            var exact = request(side).rendition
            exact.quality = .exact
            let reference = try Image.decode(art, options: DecodeOptions(as: exact))
            if let image = recorder.values.last?.image { #expect(Pictures.psnr(image, reference) > 50, "\(side)") }
            let qualities = recorder.values.compactMap { event -> Double? in
                if case .degraded(_, let quality) = event { quality } else { nil }
            }
            #expect(qualities == qualities.sorted() && Set(qualities).count == qualities.count)
            let received = recorder.values.compactMap { event -> Int? in
                if case .progress(let progress) = event { progress.received } else { nil }
            }
            #expect(received == received.sorted() && Set(received).count == received.count)
        }
    }

    @Test("A size that is beyond a limit fails, and the others do not")
    func limits() throws {
        let photo = try photo()
        var limits = DecodeLimits.safe
        limits.outputBytes = 60 * 60 * 3
        let source = body.decoded(limits: limits, on: ImmediateScheduler.shared)
        let recorders = [30, 150, 50].map { load(source, request($0)) }
        body.send(photo, of: photo.count)
        // All together were too much: each has a load of its own now.
        #expect(body.count == 4)
        body.send(photo, of: photo.count)
        body.bytes.send(completion: .finished)
        #expect(recorders[0].provenance == .network && recorders[2].provenance == .network)
        guard case .decode(.limitExceeded)? = recorders[1].failure else {
            Issue.record("no limit")
            return
        }
    }

    @Test("One that cancels leaves the others alone; with the last one the load ends")
    func cancels() throws {
        let source = body.decoded(on: ImmediateScheduler.shared)
        let photo = try photo()
        let recorders = [20, 40, 60].map { load(source, request($0)) }
        body.send(photo.prefix(1_000), of: photo.count)
        recorders[2].cancel()
        recorders[0].cancel()
        #expect(body.bytes.hasSubscribers)
        body.bytes.send(.chunk(Array(photo[1_000...])))
        recorders[1].cancel()
        #expect(!body.bytes.hasSubscribers)
        #expect(recorders.allSatisfy { $0.completion == nil && $0.violations.isEmpty })
    }

    @Test("A stored body that does not decode is discarded and loaded anew for all sizes, once")
    func discarded() throws {
        let photo = try photo()
        let source = body.decoded(on: ImmediateScheduler.shared)
        let recorders = [20, 40].map { load(source, request($0)) }
        body.bytes.send(
            .response(DataResponse(provenance: .disk, discard: { Just(true).eraseToAnyPublisher() })))
        body.bytes.send(.chunk(Array("no picture at all".utf8)))
        #expect(body.count == 2)
        body.send(photo, of: photo.count)
        body.bytes.send(completion: .finished)
        #expect(recorders.map(\.provenance) == [.network, .network] && body.count == 2)
    }
}

/// A decoder that knows nothing of further images.
private final class PlainDecoder: FormatDecoder {
    static let format = ImageFormat(rawValue: "pln")
    static let signatureLength = 3
    static func recognizes(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "PLN".utf8) }

    init(options: DecodeOptions) {}

    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {}

    func finish() throws(DecodeError) -> Image {
        guard let image = Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [7]) else {
            throw .unknownFormat
        }
        return image
    }
}

import Dispatch
import ImagePipeline
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("Processed images")
struct ProcessedSourceTests {
    private let pipeline = ImageLoader(
        FileSource()
            .decoded(on: DispatchQueue(label: "decode"))
            .processed(on: DispatchQueue(label: "process")))

    private func request(_ picture: Image, _ steps: [AnyImageProcessor], as encoding: ImageEncoding = .png) throws
        -> ImageRequest
    {
        ImageRequest(.data(try picture.encoded(as: encoding)), as: Rendition(processors: steps))
    }

    @Test("The final image has been through every step, in order; no step leaves it alone")
    func final() async throws {
        let picture = try Pictures.gradient(30, 20)
        let steps: [AnyImageProcessor] = [.crop(PixelSize(width: 10, height: 10)), .grayscale, .circle]
        var finals: [Image] = []
        for try await event in pipeline.events(for: try request(picture, steps)).values {
            if case .final(let image, .data) = event { finals.append(image) }
        }
        #expect(finals == [try AnyImageProcessor.composition(steps).process(picture)])
        for try await event in pipeline.events(for: try request(picture, [])).values {
            if case .final(let image, _) = event { #expect(image == picture) }
        }
    }

    @Test("Degraded images look as the final one does")
    func degraded() async throws {
        let file = try Pictures.textured(64, 48).encoded(as: .jpeg(progressive: true))
        // In pieces, so that scans come one by one.
        let source = AnySource<ImageRequest, DataEvent> { _ in
            let chunks = stride(from: 0, to: file.count, by: 200).map { Array(file[$0..<min(file.count, $0 + 200)]) }
            return ([.response(DataResponse(provenance: .network))] + chunks.map { DataEvent.chunk($0) }).publisher
                .setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let processed = source.decoded(on: DispatchQueue(label: "decode")).processed(
            on: DispatchQueue(label: "process"))
        let formats = Mutex<[PixelFormat]>([])
        for try await event in processed.events(for: ImageRequest("a", as: Rendition(processors: [.grayscale]))).values
        {
            if let image = event.image { formats.withLock { $0.append(image.format) } }
        }
        #expect(formats.withLock { !$0.isEmpty && $0.allSatisfy { $0 == .grey8 } })
    }

    @Test("A step that fails ends the load with its reason")
    func failing() async throws {
        let step = AnyImageProcessor.crop(PixelRect(x: 100, y: 0, width: 1, height: 1))
        do {
            for try await event in pipeline.events(for: try request(Pictures.gradient(9, 9), [step])).values {
                #expect(event.image == nil)
            }
            Issue.record("no failure")
        } catch {
            guard case LoadError.processing(let failure) = error else { throw error }
            #expect(failure.processor == step.identifier)
        }
    }

    @Test("After a cancel no further step runs")
    func cancelled() throws {
        struct Step: ImageProcessor {
            let identifier: String
            let body: @Sendable () -> Void
            func process(_ image: Image) -> Image {
                body()
                return image
            }
        }
        let entered = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let didRun = Mutex(false)
        let steps = [
            Step(identifier: "first") {
                entered.signal()
                goesOn.wait()
            },
            Step(identifier: "second") { didRun.withLock { $0 = true } },
        ]
        let queue = DispatchQueue(label: "process")
        let source = FileSource().decoded(on: DispatchQueue(label: "decode"))
            .processed(on: queue)
        let load = source.events(for: try request(Pictures.gradient(9, 9), steps.map { AnyImageProcessor($0) }))
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        entered.wait()
        load.cancel()
        goesOn.signal()
        queue.sync {}
        #expect(!didRun.withLock { $0 })
    }

    @Test("No two lists of processors share a key, whatever their identifiers are")
    func keys() {
        struct Named: ImageProcessor {
            let identifier: String
            func process(_ image: Image) -> Image { image }
        }
        func key(_ path: String, _ identifiers: [String]) -> CacheKey {
            ImageRequest(
                .file(path), as: Rendition(processors: identifiers.map { AnyImageProcessor(Named(identifier: $0)) })
            ).imageKey
        }
        var seen: [CacheKey: String] = [:]
        let words = ["", "a", "b", "ab", "file", "0", "1"]
        for path in words {
            for one in words {
                for two in words {
                    for list in [[], [one], [one, two], [one + two]] {
                        let name = "\(path)|\(list)"
                        if let other = seen.updateValue(name, forKey: key(path, list)) { #expect(other == name) }
                    }
                }
            }
        }
        #expect(seen.count > 300)
        let request = ImageRequest("a", as: Rendition(processors: [.circle]))
        #expect(request.dataKey == ImageRequest("a").dataKey, "the bytes are the same")
        #expect(request == ImageRequest("a", as: Rendition(processors: [.circle])) && request != ImageRequest("a"))
    }
}

import Dispatch
import ImageCodecs
import ImagePipeline
import Streams
import StreamsTesting
import Testing

/// The code of the tutorials, run: DocumentTests compares it line by line.
@Suite("The tutorials do what they say")
struct GettingStartedSnippets {
    @Test("Streams: squares are delivered while they are subscribed to")
    func values() async throws {
        let squares = (1...10).publisher.map { $0 * $0 }.filter { $0.isMultiple(of: 2) }
        let printing = squares.sink { print($0) }
        printing.cancel()
        #expect(try await squares.collected == [4, 16, 36, 64, 100])
    }

    @Test("Streams: the search that the last word has started delivers")
    func search() async throws {
        @Sendable func find(_ word: String) async -> [String] {
            ["first", "stream", "streams"].filter { $0.hasPrefix(word) }
        }
        let typed = PassthroughSubject<String, Never>()
        let scheduler = VirtualTimeScheduler()
        let recorder = RecordingSubscriber<[String], Never>()
        typed.debounce(for: .milliseconds(200), scheduler: scheduler).removeDuplicates()
            .map { word in ["first", "stream", "streams"].filter { $0.hasPrefix(word) } }
            .subscribe(recorder)
        typed.send("s")
        typed.send("str")
        scheduler.advance(by: .milliseconds(200))
        #expect(recorder.values == [["stream", "streams"]])
        #expect(await find("fir") == ["first"])
    }

    @Test("StreamsTesting: a diagram goes in, and the expected one comes out")
    func debounce() throws {
        let scheduler = VirtualTimeScheduler()
        let keys = TestPublisher<String>(.hot, "ab--c|", on: scheduler)
        let recorder = RecordingSubscriber<String, TestFailure>(clock: scheduler)
        keys.debounce(for: .milliseconds(2), scheduler: scheduler).subscribe(recorder)
        scheduler.run()
        try recorder.expect("---b-|")
        #expect(recorder.violations.isEmpty)
    }

    @Test("StreamsTesting: an operator that leaves out repetitions equals its model")
    func model() throws {
        let model = OperatorModel<Int>.values { values, end in
            .init(values.indices.filter { $0 == 0 || values[$0 - 1] != values[$0] }.map { values[$0] }, end)
        }
        try OperatorProperty("removeDuplicates", model: model) { $0.removeDuplicates() }.check(cases: 100)
    }

    @Test("StreamsTesting: an operator keeps the contract")
    func contract() throws {
        try Conformance.operator("removeDuplicates") { $0.removeDuplicates() }.verify()
    }
}

/// The tutorial's last steps of Streams, which need a moment of real time: compiled only.
func searching() async throws {
    @Sendable func find(_ word: String) async -> [String] {
        ["first", "stream", "streams"].filter { $0.hasPrefix(word) }
    }
    let typed = CurrentValueSubject<String, Never>("s")
    let found =
        typed
        .debounce(for: .milliseconds(200), scheduler: DispatchQueue.global())
        .removeDuplicates()
        .flatMapLatest { word in Future<[String], Never> { await find(word) } }
    let search = Task { await found.values.first { !$0.isEmpty } }
    typed.send("str")
    print(await search.value ?? [])  // ["stream", "streams"]
}

/// The program of ImagePipeline's tutorial.
func loadingImages(_ paths: [String]) async throws {
    let box = PixelSize(width: 256, height: 256)
    let pipeline = ImageLoader.standard(disk: DiskCache(directory: "image-cache"))
    for path in paths {
        do throws(LoadError) {
            let image = try await pipeline.image(for: ImageRequest(path, as: .fit(box)))
            print("\(path): \(image.size.width) × \(image.size.height)")
        } catch {
            print("\(path): \(error)")
        }
    }
    for path in paths {
        var request = ImageRequest(path, as: .fit(box))
        request.caching = .reload  // whatever the caches have
        do {
            for try await event in pipeline.events(for: request).values {
                switch event {
                case .progress(let progress): print("\(path): \(progress.received) bytes")
                case .degraded(let image, let quality): print("\(path): a preview of \(image.size), \(quality)")
                case .final(let image, let provenance): print("\(path): \(image.size) from \(provenance)")
                }
            }
        } catch {
            print("\(path): \(error)")
        }
    }
}

import Streams
import StreamsTesting
import Synchronization
import Testing

private final class LockedQueue: Sendable {
    private let pages: Mutex<[String?]>

    init(_ pages: [String?]) {
        self.pages = Mutex(pages)
    }

    func next() -> String? {
        pages.withLock { $0.removeFirst() }
    }
}

/// The code of StreamsTesting's articles, run: DocumentTests compares it line by line.
@Suite("The articles about tests do what they say")
struct TestingSnippets {
    @Test("Marble tests")
    func marbles() throws {
        let scheduler = VirtualTimeScheduler()
        let keys = TestPublisher<Int>(.hot, "1-2 400ms 3-|", on: scheduler)
        let recorder = RecordingSubscriber<Int, TestFailure>(clock: scheduler)
        keys.debounce(for: .milliseconds(300), scheduler: scheduler).subscribe(recorder)
        scheduler.advance(by: .seconds(1))
        try recorder.expect("302ms 2 102ms |")
        let mismatch = try #require(throws: Disproof.self) { try recorder.expect("302ms 2 101ms |") }
        #expect(
            mismatch.description == """
                expected    302ms 2 101ms |
                actual      302ms 2 101ms -|
                                          ^
                """)
    }

    final class Search: Sendable {
        let text = CurrentValueSubject<String, Never>("")
        let results: AnyPublisher<[String], Never>

        init(words: [String], scheduler: AnyScheduler = .main) {
            results = text.dropFirst()
                .debounce(for: .milliseconds(300), scheduler: scheduler)
                .removeDuplicates()
                .map { text in words.filter { $0.hasPrefix(text) } }
                .eraseToAnyPublisher()
        }
    }

    @Test("Testing a view model, and code that sleeps")
    func viewModel() async throws {
        let time = VirtualTimeScheduler()
        let search = Search(words: ["first", "stream", "subject"], scheduler: time.eraseToAnyScheduler())
        let recorder = RecordingSubscriber<[String], Never>(clock: time)
        search.results.subscribe(recorder)
        search.text.send("s")
        time.advance(by: .milliseconds(299))
        search.text.send("st")
        time.advance(by: .milliseconds(300))
        #expect(recorder.timeline.events == [.init(at: .milliseconds(599), .value(["stream"]))])

        func load(clock: some Clock<Duration>, _ attempt: @Sendable () -> String?) async throws -> String {
            while true {
                if let page = attempt() { return page }
                try await clock.sleep(for: .seconds(5))
            }
        }
        let clock = VirtualClock(time)
        let pages = LockedQueue([nil, nil, "page"])
        let loading = Task { try await load(clock: clock) { pages.next() } }
        for _ in 1...2 {
            await clock.waitUntilSleeping()
            time.advance(by: .seconds(5))
        }
        #expect(try await loading.value == "page")
    }
}

import CThread
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Files and bytes at hand")
struct FileSourceTests {
    let directory = TemporaryDirectory()

    private func lengths(_ subscriber: RecordingSubscriber<DataEvent, LoadError>) -> [Int] {
        subscriber.values.compactMap { if case .chunk(let bytes) = $0 { bytes.count } else { nil } }
    }

    @Test("No chunk is empty: of no bytes at hand there is none, and none behind a file's end that came too early")
    func chunks() throws {
        let source = FileSource()
        let nothing = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: ImageRequest(.data([]))).subscribe(nothing)
        #expect(nothing.waitForCompletion())
        #expect(nothing.values.count == 1)

        let path = "\(directory.path)/file"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write([UInt8](repeating: 1, count: 200_000), at: 0)
        let cut = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(2))
        source.events(for: ImageRequest(path)).subscribe(cut)
        while cut.values.count < 2 { _ = cut.waitForCompletion(seconds: 0) }
        #expect(truncate(path, 70_000) == 0)
        cut.request(.unlimited)
        #expect(cut.waitForCompletion())
        #expect(cut.isFinished)
        // How much is read ahead of demand is not the point.
        #expect(lengths(cut).first == 65_536)
        #expect(!lengths(cut).contains(0))
    }

    @Test("A file is read in four pieces of 64 KiB and larger ones behind them, every byte in its place")
    func pieces() throws {
        let path = "\(directory.path)/file"
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(body, at: 0)
        let subscriber = RecordingSubscriber<DataEvent, LoadError>()
        FileSource().events(for: ImageRequest(path)).subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        #expect(lengths(subscriber) == [65_536, 65_536, 65_536, 65_536, 262_144, 262_144, 213_568])
        let read = subscriber.values.flatMap { event -> [UInt8] in
            if case .chunk(let bytes) = event { bytes } else { [] }
        }
        #expect(read == body)
    }

    @Test("A named pipe and a directory are refused in place of a file, at once")
    func notFiles() {
        let path = "\(directory.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, "/"] {
            let subscriber = RecordingSubscriber<DataEvent, LoadError>()
            FileSource().events(for: ImageRequest(path)).subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            guard case .failure(.file)? = subscriber.completion else {
                Issue.record("\(path) was read")
                continue
            }
        }
    }

    @Test("Loads one after another share a thread, those that are cancelled and those that fail too")
    func threads() throws {
        let path = "\(directory.path)/file"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write([UInt8](repeating: 1, count: 200_000), at: 0)
        let threads = Mutex<Set<UInt>>([])
        let source = FileSource(openFiles: 16, timeLimit: .seconds(10), clock: .system) { path throws(SystemError) in
            threads.withLock { _ = $0.insert(current_thread()) }
            return try FileDescriptor.reading(path)
        }
        for round in 0..<60 {
            let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(round % 3))
            source.events(for: ImageRequest(round % 5 == 4 ? "\(path)-missing" : path)).subscribe(subscriber)
            if round % 2 == 0 { subscriber.request(.unlimited) } else { subscriber.cancel() }
            if round % 2 == 0 { #expect(subscriber.waitForCompletion()) }
        }
        // One that ends inside its own work is over a moment before its thread comes back, and on a busy machine some moments.
        #expect(threads.withLock { $0.count } <= 20)
    }

    @Test("While 64 calls hang no further file is read, wherever it is, and again when one has come back")
    func manyHung() {
        let readers = FileReaders()
        /// Reads of a medium that does not answer; nil where nobody tries.
        func hang(_ number: Int) -> AnyPublisher<Int, LoadError>? {
            readers.reading(in: "/\(number)") { reader in
                reader.hangs()
                return Empty(completeImmediately: false).eraseToAnyPublisher()
            }
        }
        let hung = (0..<64).map(hang)
        #expect(hung.allSatisfy { $0 != nil })
        #expect(hang(64) == nil && hang(65) == nil)
        hung[0]?.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        #expect(hang(64) != nil && hang(65) == nil)
    }

    @Test("A medium that hangs holds up its own loads until their time is over, and no other file")
    func hungMedium() throws {
        let time = VirtualTimeScheduler()
        let good = (0..<5).map { "\(directory.path)/good-\($0)" }
        for path in good { try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write([1, 2, 3], at: 0) }
        // As a mount whose server is gone: opening waits until somebody opens the other end.
        let hung = TemporaryDirectory()
        let pipes = (0..<20).map { "\(hung.path)/\($0)" }
        let begun = Atomic(0)
        for path in pipes { #expect(mkfifo(path, 0o600) == 0) }
        let source = FileSource(openFiles: 16, timeLimit: .seconds(10), clock: StoreClock(time)) {
            path throws(SystemError) in
            if path.hasPrefix(hung.path) { begun.add(1, ordering: .relaxed) }
            return try FileDescriptor(opening: path, O_RDONLY)
        }
        func load(_ path: String) -> RecordingSubscriber<DataEvent, LoadError> {
            let subscriber = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest(path)).subscribe(subscriber)
            return subscriber
        }
        let waiting = pipes.map(load)
        for subscriber in good.map(load) {
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.isFinished)
        }
        #expect(waiting.allSatisfy { $0.completion == nil })
        // A disk may have half of the files that are open at once.
        #expect(comesTrue { begun.load(ordering: .relaxed) == 8 })
        // Those that have begun fail now. Of those behind them one more tries, as a single hung file says little, and the others fail.
        time.advance(by: .seconds(10))
        #expect(comesTrue { waiting.count { $0.completion == nil } <= 1 })
        time.advance(by: .seconds(10))
        for subscriber in waiting {
            #expect(subscriber.waitForCompletion())
            guard case .failure(.file)? = subscriber.completion else {
                Issue.record("it was read")
                continue
            }
        }
        #expect(good.map(load).allSatisfy { $0.waitForCompletion() && $0.isFinished })
        // The server is back: the calls return, and what is there is read again.
        let ends = pipes.map { open($0, O_RDWR | O_NONBLOCK) }
        let back = "\(hung.path)/back"
        try FileDescriptor(opening: back, O_WRONLY | O_CREAT).write([1, 2, 3], at: 0)
        var isBack = false
        while !isBack {
            let subscriber = load(back)
            isBack = subscriber.waitForCompletion() && subscriber.isFinished
        }
        for end in ends { close(end) }
    }
}

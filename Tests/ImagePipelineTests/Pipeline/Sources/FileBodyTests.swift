import CThread
import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import Files
@testable import ImagePipeline

@Suite("The bytes of a file, in memory or not")
struct FileBodyTests {
    private struct Medium: Error {}

    private let thread = ThreadPoolScheduler(width: 1, name: "Medium")
    private let body: [UInt8]

    init() {
        var generator = SeededGenerator(seed: 7)
        body = (0..<1_000_003).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// - Parameters:
    ///   - isCached: says whether a place is in memory.
    ///   - read: is told of each place that is read, and of the thread.
    private func events(
        of bytes: [UInt8], isCached: @escaping @Sendable (Int) -> Bool,
        read: @escaping @Sendable (Int, UInt) throws -> Void = { _, _ in }
    ) -> AnyPublisher<DataEvent, LoadError> {
        let pieces = ChunkSequence(size: bytes.count) { range in
            try read(range.lowerBound, current_thread())
            return Array(bytes[range])
        }
        return .create { [thread] emitter in
            let body = FileBody(
                pieces,
                readCached: { range in
                    guard isCached(range.lowerBound) else { return nil }
                    try read(range.lowerBound, current_thread())
                    return Array(bytes[range])
                }, elsewhere: { thread.schedule($0) }, to: emitter, failure: { .file(path: "x", reason: "\($0)") })
            emitter.onRequest { _ in body.send() }
            return Disposable {}
        }
    }

    private func bytes(_ subscriber: RecordingSubscriber<DataEvent, LoadError>) -> [UInt8] {
        subscriber.values.flatMap { event -> [UInt8] in if case .chunk(let bytes) = event { bytes } else { [] } }
    }

    @Test("What is in memory comes inside the request, on its thread; the rest is read on the other one")
    func threads() {
        let readers = Mutex<[Int: UInt]>([:])
        let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .none)
        events(of: body, isCached: { $0 != 65_536 }, read: { place, thread in readers.withLock { $0[place] = thread } })
            .subscribe(subscriber)
        #expect(readers.withLock { $0.isEmpty })
        subscriber.request(.max(1))
        #expect(subscriber.values.count == 1)
        #expect(readers.withLock { $0 } == [0: current_thread()])
        subscriber.request(.unlimited)
        #expect(subscriber.waitForCompletion())
        #expect(bytes(subscriber) == body)
        #expect(readers.withLock { $0[65_536] } != current_thread())
        #expect(subscriber.violations.isEmpty)
    }

    @Test("Whatever is in memory, and whoever requests, every byte comes once, in order, and none unasked")
    func everyByte() throws {
        let plans = Gen<[Int]> { choices in
            (0..<20).map { _ in choices.int(in: 0...7) }
        }
        try forAll("plan", plans, cases: 200, describe: { "\($0)" }) { plan in
            let size = 65_536 * plan[0] + plan[1] * 9_001
            let bytes = Array(body.prefix(size))
            let read = Atomic(0)
            let requested = Atomic(0)
            let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .none)
            let events = events(
                of: bytes, isCached: { plan[$0 / 65_536 % plan.count] > 3 },
                read: { _, _ in
                    let count = read.wrappingAdd(1, ordering: .relaxed).newValue
                    if count > requested.load(ordering: .relaxed) { throw Medium() }
                })
            events.subscribe(subscriber)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for step in plan {
                    let demand = (step + thread) % 3 + 1
                    requested.wrappingAdd(demand, ordering: .relaxed)
                    subscriber.request(.max(demand))
                }
            }
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.isFinished)
            #expect(self.bytes(subscriber) == bytes)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("A failure comes behind the bytes in front of it, in memory or not", arguments: [true, false])
    func failure(isCached: Bool) {
        let subscriber = RecordingSubscriber<DataEvent, LoadError>()
        events(of: body, isCached: { _ in isCached }, read: { place, _ in if place == 131_072 { throw Medium() } })
            .subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        #expect(bytes(subscriber) == Array(body.prefix(131_072)))
        guard case .failure(.file)? = subscriber.completion else {
            Issue.record("\(String(describing: subscriber.completion))")
            return
        }
    }

    @Test("Who joins a file late reads it from there, and none of it is kept in memory for them")
    func lateReader() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/file"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(body, at: 0)
        let opened = Atomic(0)
        let source = FileSource(openFiles: 4, timeLimit: .seconds(10), clock: .system) { path throws(SystemError) in
            opened.wrappingAdd(1, ordering: .relaxed)
            return try .reading(path)
        }
        let arrived = Mutex<ArrivedBody?>(nil)
        let first = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(6))
        source.events(for: ImageRequest(path))
            .handleEvents(receiveOutput: { if case .response(let it) = $0 { arrived.withLock { $0 = it.arrived } } })
            .subscribe(first)
        while first.values.count < 6 { _ = first.waitForCompletion(seconds: 0) }
        let room = KeptBytes(limit: 16 << 20)
        var contents = BodyContents(in: room, arrived: arrived.withLock { $0 })
        for case .chunk(let bytes) in first.values {
            contents.append(bytes)
            contents.trim { _ in true }
            #expect(room.bytes == 0)
        }
        #expect(contents.hasBeginning)
        guard case .written(let pieces)? = contents.next(at: 0) else {
            Issue.record("the beginning is in memory")
            return
        }
        let read = RecordingSubscriber<[UInt8], StoreFault>()
        pieces.bytes.subscribe(read)
        #expect(read.waitForCompletion())
        #expect(read.values == [Array(body[pieces.range])])
        #expect(read.values.first.map(pieces.areSound) == true)
        // Another file under that name is none of its bytes.
        try FileDescriptor(opening: "\(path)2", O_WRONLY | O_CREAT).write(body, at: 0)
        #expect(rename("\(path)2", path) == 0)
        let other = RecordingSubscriber<[UInt8], StoreFault>()
        pieces.bytes.subscribe(other)
        #expect(other.waitForCompletion())
        #expect(other.values.isEmpty)
        first.cancel()
    }
}

import Streams
import StreamsTesting
import Testing

@Suite("Publishers and async/await")
struct AsyncPublisherTests {
    @Test("An asynchronous sequence delivers what is requested, one after the other, and its failure")
    func sequence() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for value in 1...3 { continuation.yield(value) }
        continuation.finish()
        #expect(try await stream.publisher.collected == [1, 2, 3])

        let failing = AsyncThrowingStream<Int, any Error> { continuation in
            continuation.yield(1)
            continuation.finish(throwing: TestError.expected)
        }
        await #expect(throws: TestError.expected) { _ = try await failing.publisher.collected }
    }

    @Test("An asynchronous sequence waits for demand, and goes on when there is some")
    func sequenceUnderDemand() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for value in 0..<10 { continuation.yield(value) }
        continuation.finish()
        let (arrivals, signal) = AsyncStream.makeStream(of: Int.self)
        let recorder = RecordingSubscriber<Int, Never>(
            initialDemand: .none, onValue: { _, value in signal.yield(value) }, onCompletion: { signal.finish() })
        stream.publisher.subscribe(recorder)
        var arrived = arrivals.makeAsyncIterator()
        for value in 0..<10 {
            recorder.request(.max(1))
            #expect(await arrived.next() == value)
        }
        recorder.request(.max(1))
        #expect(await arrived.next() == nil)
    }

    /// Tells when it is let go of.
    private final class Ender: Sendable {
        let signal: AsyncStream<Void>.Continuation
        init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }
        deinit { signal.finish() }
    }

    /// Waits for ever, unless it is cancelled.
    private struct Endless: AsyncSequence, Sendable {
        let signal: AsyncStream<Void>.Continuation

        struct Iterator: AsyncIteratorProtocol {
            let ender: Ender
            var waiting = AsyncStream<Int> { _ in }.makeAsyncIterator()

            mutating func next() async -> Int? { await waiting.next() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(ender: Ender(signal)) }
    }

    @Test("A cancel ends the task that iterates")
    func sequenceCancelled() async {
        let (ended, signal) = AsyncStream.makeStream(of: Void.self)
        let sink = Endless(signal: signal).publisher.sink { _ in }
        sink.cancel()
        for await _ in ended {}
    }

    @Test("lastValue and collected wait for the end; without a value lastValue throws")
    func ends() async throws {
        #expect(try await (1...3).publisher.lastValue == 3)
        #expect(try await (1...3).publisher.collected == [1, 2, 3])
        await #expect(throws: NoValue.self) { _ = try await Empty<Int, Never>().lastValue }
    }

    @Test("A future of asynchronous work delivers its result, or its failure, to all")
    func future() async throws {
        let runs = Counter()
        let future = Future<Int, Never> {
            runs.increment()
            return 7
        }
        #expect(try await future.firstValue == 7)
        #expect(try await future.firstValue == 7)
        #expect(runs.count == 1)
        let failing = Future<Int, TestError> { () async throws(TestError) in throw .expected }
        await #expect(throws: TestError.expected) { _ = try await failing.firstValue }
    }

    @Test("A future that nobody holds or waits for cancels its work")
    func futureCancelled() async {
        let (ended, signal) = AsyncStream.makeStream(of: Void.self)
        do {
            let future = Future<Int, Never> {
                await withTaskCancellationHandler {
                    for await _ in AsyncStream<Void>(unfolding: { Task.isCancelled ? nil : () }) { await Task.yield() }
                } onCancel: {
                    signal.finish()
                }
                return 1
            }
            future.sink { _ in }.cancel()
        }
        for await _ in ended {}
    }

    /// Numbers without an end to speak of.
    private struct Numbers: AsyncSequence, Sendable {
        let asked: Counter
        let ended: AsyncStream<Void>.Continuation

        struct Iterator: AsyncIteratorProtocol {
            let asked: Counter
            let ender: Ender

            mutating func next() async -> Int? {
                asked.increment()
                return asked.count < 1_000 ? asked.count : nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(asked: asked, ender: Ender(ended)) }
    }

    @Test("A sequence is asked for what is requested and no more, and let go of when its subscriber cancels")
    func sequenceLetGoOf() async {
        let asked = Counter()
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, signal) = AsyncStream.makeStream(of: Int.self)
        let recorder = RecordingSubscriber<Int, Never>(
            initialDemand: .max(2), onValue: { _, value in signal.yield(value) })
        Numbers(asked: asked, ended: ending).publisher.subscribe(recorder)
        var arrived = arrivals.makeAsyncIterator()
        for number in 1...2 { #expect(await arrived.next() == number) }
        recorder.cancel()
        for await _ in ended {}
        #expect(asked.count == 2)
        #expect(recorder.values == [1, 2] && recorder.completion == nil)
    }
}

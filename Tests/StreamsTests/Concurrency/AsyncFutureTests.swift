import Streams
import StreamsTesting
import Testing

/// Nobody stores the futures here: subscriptions keep their work.
@Suite("A future of asynchronous work that nobody stores")
struct AsyncFutureTests {
    /// Work that goes on for as long as the gate is shut, and says whether it has been cancelled.
    private struct Work: Sendable {
        let gate = AsyncStream.makeStream(of: Void.self)
        let wasCancelled = Recorded<Bool?>(nil)

        func run() async -> Int {
            for await _ in gate.stream {}
            wasCancelled.set(Task.isCancelled)
            return 7
        }
    }

    /// What arrives in a subscriber, as a sequence to wait for.
    private struct Arrivals: Sendable {
        private let pipe = AsyncStream.makeStream(of: Int.self)

        func sink<P: Publisher>(_ publisher: P) -> AnyCancellable where P.Output == Int {
            publisher.sink(
                receiveCompletion: { _ in pipe.continuation.finish() },
                receiveValue: { pipe.continuation.yield($0) })
        }

        var all: [Int] {
            get async { await pipe.stream.reduce(into: []) { $0.append($1) } }
        }
    }

    @Test("It delivers to a sink whose cancellable is kept")
    func sink() async {
        let (work, arrivals) = (Work(), Arrivals())
        let cancellable = arrivals.sink(Future<Int, Never> { await work.run() })
        work.gate.continuation.finish()
        #expect(await arrivals.all == [7])
        #expect(work.wasCancelled.value == false)
        cancellable.cancel()
    }

    @Test("It delivers through flatMap")
    func flatMap() async {
        let (work, arrivals) = (Work(), Arrivals())
        let cancellable = arrivals.sink(Just(1).flatMap { _ in Future<Int, Never> { await work.run() } })
        work.gate.continuation.finish()
        #expect(await arrivals.all == [7])
        #expect(work.wasCancelled.value == false)
        cancellable.cancel()
    }

    @Test("It delivers through Deferred")
    func deferred() async {
        let (work, arrivals) = (Work(), Arrivals())
        let cancellable = arrivals.sink(Deferred { Future<Int, Never> { await work.run() } })
        work.gate.continuation.finish()
        #expect(await arrivals.all == [7])
        #expect(work.wasCancelled.value == false)
        cancellable.cancel()
    }

    @Test("Its values reach a loop")
    func values() async {
        let work = Work()
        var iterator = Future<Int, Never> { await work.run() }.values.makeAsyncIterator()
        work.gate.continuation.finish()
        #expect(await iterator.next() == 7)
        #expect(await iterator.next() == nil)
        #expect(work.wasCancelled.value == false)
    }

    @Test("Its first value is awaited")
    func firstValue() async throws {
        let work = Work()
        work.gate.continuation.finish()
        #expect(try await Future<Int, Never> { await work.run() }.firstValue == 7)
        #expect(work.wasCancelled.value == false)
    }

    @Test("A failure arrives as well")
    func failure() async {
        await #expect(throws: TestError.expected) {
            _ = try await Deferred { Future<Int, TestError> { () async throws(TestError) in throw .expected } }
                .firstValue
        }
    }

    @Test("The last subscription that is cancelled, and no other, cancels the work")
    func lastCancel() async {
        let work = Work()
        let (ended, signal) = AsyncStream.makeStream(of: Void.self)
        var future: Future<Int, Never>? = Future {
            defer { signal.finish() }
            return await work.run()
        }
        let sinks = (0..<2).compactMap { _ in future?.sink { _ in } }
        future = nil
        sinks[0].cancel()
        work.gate.continuation.yield()
        #expect(work.wasCancelled.value == nil)
        sinks[1].cancel()
        for await _ in ended {}
        #expect(work.wasCancelled.value == true)
    }

    @Test("The subscriber is not called by a task that counts as cancelled")
    func deliveredUncancelled() async {
        let work = Work()
        let (cancelled, signal) = AsyncStream.makeStream(of: Bool.self)
        let cancellable = Future<Int, Never> { await work.run() }.sink { _ in
            signal.yield(Task.isCancelled)
            signal.finish()
        }
        work.gate.continuation.finish()
        #expect(await cancelled.reduce(into: []) { $0.append($1) } == [false])
        cancellable.cancel()
    }
}

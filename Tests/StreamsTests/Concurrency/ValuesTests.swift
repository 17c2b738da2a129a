import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("values and firstValue")
struct ValuesTests {
    private struct Broken: Error, Equatable {}

    @Test("values delivers everything in order, and requests one at a time")
    func oneAtATime() async {
        let requests = Mutex<[Subscribers.Demand]>([])
        let publisher = (0..<100).publisher.handleEvents(receiveRequest: { demand in
            requests.withLock { $0.append(demand) }
        })
        var values: [Int] = []
        for await value in publisher.values { values.append(value) }
        #expect(values == Array(0..<100))
        #expect(requests.withLock { $0 }.allSatisfy { $0 == .max(1) })
    }

    @Test("values throws the publisher's failure, typed, after the values and once")
    func failure() async {
        var iterator = (0..<2).publisher.setFailureType(to: Broken.self)
            .append(Fail<Int, Broken>(error: Broken())).values.makeAsyncIterator()
        var values: [Int] = []
        do throws(Broken) {
            while let value = try await iterator.next() { values.append(value) }
            Issue.record("It ended without the failure.")
        } catch {
            #expect(error == Broken())
        }
        #expect(values == [0, 1])
        await #expect(throws: Never.self) {
            let afterwards = try await iterator.next()
            #expect(afterwards == nil)
        }
    }

    @Test("A publisher that ignores demand is buffered, never a trap")
    func ignoresDemand() async {
        var values: [Int] = []
        for await value in Flood(count: 1_000).values { values.append(value) }
        #expect(values == Array(0..<1_000))
    }

    @Test("Values that hop threads all arrive (FIELD: continuation bridges)")
    func hopping() async {
        for _ in 0..<raceCount {
            var values: [Int] = []
            for await value in (0..<50).publisher.receive(on: DispatchQueue.global()).values { values.append(value) }
            #expect(values == Array(0..<50))
        }
    }

    @Test("A cancelled task is handed nothing of what is buffered")
    func cancelledWithBuffer() async {
        let (begun, cancelled) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let task = Task {
            var iterator = Flood(count: 3).values.makeAsyncIterator()
            let first = await iterator.next()
            begun.continuation.finish()
            // Ends with the task's cancellation.
            for await _ in cancelled.stream {}
            return (first, await iterator.next())
        }
        for await _ in begun.stream {}
        task.cancel()
        let (first, afterwards) = await task.value
        #expect(first == 0)
        #expect(afterwards == nil)
    }

    @Test("Cancelling the task cancels the upstream and ends the loop")
    func cancelledTask() async {
        let probe = Probe()
        let task = Task {
            var count = 0
            for await _ in probe.values { count += 1 }
            return count
        }
        await probe.requested()
        task.cancel()
        #expect(await task.value == 0)
        #expect(probe.cancels.load(ordering: .acquiring) == 1)
    }

    @Test("A cancel that races with a value resumes the waiting task exactly once (FIELD: continuation bridges)")
    func cancelRacesValue() async {
        for _ in 0..<raceCount {
            let probe = Probe()
            let task = Task {
                var count = 0
                for await _ in probe.values { count += 1 }
                return count
            }
            await probe.requested()
            async let sent: Void = probe.finish(with: 1)
            task.cancel()
            await sent
            #expect(await task.value <= 1)
        }
    }

    @Test("Letting go of the iterator cancels the upstream")
    func abandonedIterator() async {
        let probe = Probe()
        do {
            let iterator = probe.values.makeAsyncIterator()
            withExtendedLifetime(iterator) {}
        }
        #expect(probe.cancels.load(ordering: .acquiring) == 1)
    }

    @Test("firstValue is the first value; the upstream is cancelled then")
    func firstValue() async throws {
        let cancels = Counter()
        let value = try await (5..<10).publisher.handleEvents(receiveCancel: { cancels.increment() }).firstValue
        #expect(value == 5)
        #expect(cancels.count == 1)
    }

    @Test("firstValue of nothing throws NoValue, of a failure that failure")
    func firstValueOfNothing() async {
        await #expect(throws: NoValue()) { try await Empty<Int, Never>().firstValue }
        await #expect(throws: Broken()) { try await Fail<Int, Broken>(error: Broken()).firstValue }
    }

    @Test("firstValue in a cancelled task throws CancellationError and cancels the upstream")
    func firstValueCancelled() async {
        let probe = Probe()
        let task = Task { try await probe.firstValue }
        await probe.requested()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(probe.cancels.load(ordering: .acquiring) == 1)
    }
}

/// Delivers what the test sends, and tells it when it is asked for a value and when it is cancelled.
private final class Probe: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = Never
    let cancels = Atomic(0)
    private let subscriber = Mutex<AnySubscriber<Int, Never>?>(nil)
    private let requests = AsyncStream.makeStream(of: Void.self)

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber.withLock { $0 = AnySubscriber(subscriber) }
        subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) { requests.continuation.yield() }
    func cancel() { cancels.add(1, ordering: .releasing) }

    func requested() async {
        for await _ in requests.stream { return }
    }

    func finish(with value: Int) async {
        let subscriber = subscriber.withLock { $0.take() }
        _ = subscriber?.receive(value)
        subscriber?.receive(completion: .finished)
    }
}

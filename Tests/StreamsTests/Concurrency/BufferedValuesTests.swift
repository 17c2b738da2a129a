import Streams
import StreamsTesting
import Testing

@Suite("values(buffering:) and a future's value")
struct BufferedValuesTests {
    @Test("values(buffering:) keeps what comes while the loop is busy, as its strategy says")
    func buffering() async throws {
        func seen(_ strategy: BackpressureStrategy<TestError>) async throws -> [Int] {
            let subject = PassthroughSubject<Int, TestError>()
            var iterator = subject.values(buffering: strategy).makeAsyncIterator()
            for value in 1...4 { subject.send(value) }
            subject.send(completion: .finished)
            var seen: [Int] = []
            while let value = try await iterator.next() { seen.append(value) }
            return seen
        }
        #expect(try await seen(.unbounded) == [1, 2, 3, 4])
        #expect(try await seen(.buffer(2)) == [3, 4])
        #expect(try await seen(.latest) == [4])
        #expect(try await seen(.dropNewest) == [])
        await #expect(throws: TestError.expected) { _ = try await seen(.fail(.expected)) }
    }

    @Test("values of a subject: of a burst the first arrives, and of a current value the newest after it")
    func bursts() async {
        func seen<S: Subject>(_ subject: S, readsFirst: Bool) async -> [Int] where S.Output == Int, S.Failure == Never {
            let requests = AsyncStream.makeStream(of: Void.self)
            let turns = AsyncStream.makeStream(of: Void.self)
            let values = Requests(upstream: subject, told: requests.continuation).values
            let loop = Task {
                var seen: [Int] = []
                var turn = turns.stream.makeAsyncIterator()
                for await value in values {
                    seen.append(value)
                    await turn.next()
                }
                return seen
            }
            var request = requests.stream.makeAsyncIterator()
            await request.next()
            if readsFirst {
                turns.continuation.yield()
                await request.next()
            }
            for value in 1...3 { subject.send(value) }
            turns.continuation.yield()
            await request.next()
            turns.continuation.finish()
            subject.send(completion: .finished)
            return await loop.value
        }
        #expect(await seen(PassthroughSubject(), readsFirst: false) == [1])
        #expect(await seen(CurrentValueSubject(0), readsFirst: true) == [0, 1, 3])
    }

    @Test("A future's value is its result, its failure, or, if it can fail, the cancellation of the task that waits")
    func futureValue() async throws {
        #expect(await Future<Int, Never> { $0(.success(7)) }.value == 7)
        await #expect(throws: TestError.expected) {
            _ = try await Future<Int, TestError> { $0(.failure(.expected)) }.value
        }
        let promises = Recorded<[Future<Int, TestError>.Promise]>([])
        let pending = Future<Int, TestError> { promise in promises.update { $0.append(promise) } }
        let waiting = Task { try await pending.value }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    }
}

/// Tells of each request once that has been made.
private struct Requests<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let told: AsyncStream<Void>.Continuation

    private final class Link: Subscription {
        private let upstream: any Subscription
        private let told: AsyncStream<Void>.Continuation

        init(_ upstream: any Subscription, _ told: AsyncStream<Void>.Continuation) {
            self.upstream = upstream
            self.told = told
        }

        func request(_ demand: Subscribers.Demand) {
            upstream.request(demand)
            told.yield()
        }

        func cancel() { upstream.cancel() }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.receive(
            subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { subscriber.receive(subscription: Link($0, told)) },
                receiveValue: { subscriber.receive($0) }, receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

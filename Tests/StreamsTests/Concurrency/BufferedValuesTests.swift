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

import ImagePipeline
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("The final image of a request, awaited")
struct FinalImageTests {
    /// A source whose events a test sends; it notes what it was asked for and when a load was cancelled.
    private final class Scripted: Source {
        typealias Feed = Emitter<ImageEvent, LoadError>

        let requests = Mutex<[ImageRequest]>([])
        let begun = PassthroughSubject<Feed, Never>()
        let cancelled = CurrentValueSubject<Bool, Never>(false)

        func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
            AnyPublisher.create { [self] emitter in
                requests.withLock { $0.append(request) }
                begun.send(emitter)
                return Disposable { self.cancelled.send(true) }
            }
        }
    }

    private func isCancelled(_ result: Result<Image, any Error>) -> Bool {
        if case .failure(LoadError.cancelled) = result { true } else { false }
    }

    private let request = ImageRequest("http://localhost/a.jpg")

    @Test("The final image is returned, and no degraded one was asked for")
    func final() async throws {
        let image = try Pictures.gradient(2, 1)
        let source = Scripted()
        let load = source.begun.sink { feed in
            feed.onNext(.progress(.init(received: 1)))
            feed.onNext(.degraded(image, quality: 0.5))
            feed.onNext(.final(image, .network))
            feed.onComplete()
        }
        let result = try await source.image(for: request)
        #expect(result == image)
        #expect(source.requests.withLock { $0.map(\.previews) } == [false])
        load.cancel()
    }

    @Test("The load's error is thrown as it is, typed")
    func failure() async {
        let source = Scripted()
        let load = source.begun.sink { $0.onError(.status(404)) }
        do throws(LoadError) {
            _ = try await source.image(for: request)
            Issue.record("an image came of a failed load")
        } catch {
            #expect("\(error)" == "\(LoadError.status(404))")
        }
        load.cancel()
    }

    @Test("A source that finishes without an image is an error, not a wait for ever")
    func nothing() async {
        let source = Scripted()
        let load = source.begun.sink { $0.onComplete() }
        await #expect(throws: LoadError.self) { try await source.image(for: request) }
        load.cancel()
    }

    @Test("Cancelling the task cancels the load and throws its own error")
    func cancel() async {
        let source = Scripted()
        let task = Mutex<Task<Image, any Error>?>(nil)
        // The load itself cancels the task that waits for it: the cancel comes while the load is under way.
        let load = source.begun.sink { _ in task.withLock { $0 }?.cancel() }
        let request = request
        let waiting = task.withLock { task in
            let new = Task { try await source.image(for: request) as Image }
            task = new
            return new
        }
        let result = await waiting.result
        #expect(isCancelled(result))
        #expect(source.cancelled.value)
        load.cancel()
    }

    @Test("A task that was cancelled before begins no load")
    func cancelledBefore() async {
        let source = Scripted()
        let request = request
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            for await _ in gate {}
            return try await source.image(for: request)
        }
        waiting.cancel()
        opener.finish()
        let result = await waiting.result
        #expect(isCancelled(result))
        #expect(source.requests.withLock { $0.isEmpty })
    }
}

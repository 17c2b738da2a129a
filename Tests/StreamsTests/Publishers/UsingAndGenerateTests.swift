import Streams
import StreamsTesting
import Testing

@Suite("Publishers that own a resource or make their values")
struct UsingAndGenerateTests {
    @Test("using disposes of its resource exactly once: at the end, on a failure, on a cancel")
    func using() {
        for end in 0..<3 {
            let disposed = Counter()
            let subject = PassthroughSubject<Int, TestError>()
            let subscriber = RecordingSubscriber<Int, TestError>()
            Publishers.Using(
                { 7 }, publisher: { number in subject.map { $0 * number } }, dispose: { _ in disposed.increment() }
            )
            .subscribe(subscriber)
            subject.send(2)
            #expect(disposed.count == 0)
            switch end {
            case 0: subject.send(completion: .finished)
            case 1: subject.send(completion: .failure(.expected))
            default: subscriber.cancel()
            }
            subscriber.cancel()
            #expect(subscriber.values == [14])
            #expect(disposed.count == 1)
        }
    }

    @Test("generate makes values while its condition holds, each on request")
    func generate() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        Publishers.generate(1, while: { $0 < 20 }, next: { $0 * 2 }).subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        subscriber.request(.unlimited)
        #expect(subscriber.values == [1, 2, 4, 8, 16])
        #expect(subscriber.isFinished)
    }
}

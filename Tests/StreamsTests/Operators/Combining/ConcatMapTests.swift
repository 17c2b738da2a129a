import Streams
import StreamsTesting
import Testing

@Suite("concatMap")
struct ConcatMapTests {
    @Test("Of a sequence one value waits for its turn, and the one behind it has been looked for")
    func waiting() {
        let made = Counter()
        let inner = Recorded<[PassthroughSubject<Int, Never>]>([])
        let subscriber = RecordingSubscriber<Int, Never>()
        CountedNumbers(made).publisher.concatMap { _ in
            let subject = PassthroughSubject<Int, Never>()
            inner.update { $0.append(subject) }
            return subject
        }.subscribe(subscriber)
        for turn in 1...4 {
            #expect(inner.value.count == turn)
            #expect(made.count <= turn + 2)
            inner.value.last?.send(turn)
            inner.value.last?.send(completion: .finished)
        }
        #expect(subscriber.values == [1, 2, 3, 4])
        subscriber.cancel()
    }

    @Test("Of a subject every value waits, however many there are")
    func hot() {
        let (subject, first) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let subscriber = RecordingSubscriber<Int, Never>()
        subject.concatMap { $0 == 0 ? first.eraseToAnyPublisher() : Just($0).eraseToAnyPublisher() }
            .subscribe(subscriber)
        for value in 0..<1_000 { subject.send(value) }
        #expect(subscriber.values == [])
        first.send(completion: .finished)
        #expect(subscriber.values == Array(1..<1_000))
        subscriber.cancel()
    }
}

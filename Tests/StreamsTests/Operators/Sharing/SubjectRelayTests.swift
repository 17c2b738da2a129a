import Streams
import StreamsTesting
import Testing

@Suite("subscribe(subject), AnySubscriber of a subject, assign(to: &$property)")
struct SubjectRelayTests {
    private typealias Recorder = RecordingSubscriber<Int, TestError>

    @Test("A subject that is subscribed gets values and the end; a cancel stops both")
    func subscribeSubject() {
        let (source, relayed) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
        let recorder = Recorder()
        relayed.subscribe(recorder)
        let link = source.subscribe(relayed)
        source.send(1)
        link.cancel()
        source.send(2)
        #expect(!source.hasSubscribers)
        let again = source.subscribe(relayed)
        source.send(3)
        source.send(completion: .failure(.expected))
        #expect(recorder.values == [1, 3])
        #expect(recorder.completion == .failure(.expected))
        #expect(recorder.violations.isEmpty)
        again.cancel()
    }

    @Test("Letting go of what subscribe(subject) returns cancels")
    func letGo() {
        let (source, relayed) = (PassthroughSubject<Int, TestError>(), CurrentValueSubject<Int, TestError>(0))
        do {
            let link = source.subscribe(relayed)
            #expect(source.hasSubscribers)
            withExtendedLifetime(link) {}
        }
        #expect(!source.hasSubscribers)
    }

    @Test("A subject is relayed to from inside an AnySubscriber")
    func anySubscriber() {
        let subject = CurrentValueSubject<Int, Never>(0)
        (1...3).publisher.subscribe(AnySubscriber(subject))
        #expect(subject.value == 3)
    }

    @Test("A published property takes a publisher's values, keeps nothing alive and outlives the publisher's end")
    func assignPublished() {
        final class Model {
            @Published var count = 0
        }
        let source = PassthroughSubject<Int, Never>()
        let recorder = RecordingSubscriber<Int, Never>()
        do {
            let model = Model()
            model.$count.subscribe(recorder)
            Just(4).assign(to: &model.$count)
            source.assign(to: &model.$count)
            source.send(5)
            #expect(model.count == 5)
            model.count = 6
            #expect(source.hasSubscribers)
        }
        #expect(!source.hasSubscribers)
        source.send(7)
        #expect(recorder.values == [0, 4, 5, 6])
        #expect(recorder.completion == nil)
    }
}

import Streams
import StreamsTesting
import Testing

@Suite("The newest values, up to a number of them")
struct RecentValuesTests {
    @Test("A replay is the last of what was sent, for every number of them", arguments: 0...4)
    func replay(capacity: Int) {
        let subject = ReplaySubject<Int, Never>(bufferSize: capacity)
        for sent in 0...10 {
            if sent > 0 { subject.send(sent) }
            let late = RecordingSubscriber<Int, Never>()
            subject.subscribe(late)
            #expect(late.values == Array((1...10).prefix(sent).suffix(capacity)))
            late.cancel()
        }
        subject.send(completion: .finished)
        let last = RecordingSubscriber<Int, Never>()
        subject.subscribe(last)
        #expect(last.values == Array((1...10).suffix(capacity)))
        #expect(last.isFinished)
    }

    @Test("dropLast leaves out so many values, and delivers each when so many have followed it", arguments: 0...4)
    func dropLast(count: Int) {
        for length in 0...10 {
            let subject = PassthroughSubject<Int, Never>()
            let subscriber = RecordingSubscriber<Int, Never>()
            subject.dropLast(count).subscribe(subscriber)
            for sent in 0..<length {
                subject.send(sent)
                #expect(subscriber.values == Array((0...sent).dropLast(count)))
            }
            subject.send(completion: .finished)
            #expect(subscriber.values == Array((0..<length).dropLast(count)))
            #expect(subscriber.isFinished)
        }
    }

    @Test("dropLast delivers as many as are requested, whatever it leaves out", arguments: 0...3)
    func demand(count: Int) {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        (1...10).publisher.map { $0 }.dropLast(count).subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        subscriber.request(.max(3))
        #expect(subscriber.values == [1, 2, 3, 4, 5])
        subscriber.request(.unlimited)
        #expect(subscriber.values == Array((1...10).dropLast(count)))
        #expect(subscriber.isFinished && subscriber.violations.isEmpty)
    }

    @Test("dropLast leaves out one where nothing else is said")
    func one() {
        let subscriber = RecordingSubscriber<Int, Never>()
        (1...3).publisher.map { $0 }.dropLast().subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
    }
}

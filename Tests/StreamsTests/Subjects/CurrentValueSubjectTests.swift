import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("CurrentValueSubject")
struct CurrentValueSubjectTests {
    @Test("A new subscriber gets the current value, then what follows")
    func currentValue() {
        let subject = CurrentValueSubject<Int, Never>(0)
        subject.send(1)
        let probe = SubjectProbe<Int>()
        subject.subscribe(probe)
        subject.value = 2
        #expect(probe.values == [1, 2])
        #expect(subject.value == 2)
    }

    @Test("A completion that was sent comes, though the subject goes while its value is being delivered")
    func departure() {
        let kept = Mutex<CurrentValueSubject<Int, Never>?>(CurrentValueSubject(0))
        let recorder = RecordingSubscriber<Int, Never>(
            initialDemand: .none,
            onValue: { _, _ in
                let subject = kept.withLock { $0.take() }
                subject?.send(completion: .finished)
            })
        kept.withLock { $0 }?.subscribe(recorder)
        recorder.request(.max(1))
        #expect(recorder.values == [0])
        #expect(recorder.isFinished)
    }

    @Test("A subscriber without demand gets the newest value, once, when it requests")
    func newestOnDemand() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let probe = SubjectProbe<Int>(demand: .max(1))
        subject.subscribe(probe)
        subject.send(1)
        subject.send(2)
        #expect(probe.values == [0])
        probe.subscription?.request(.max(2))
        #expect(probe.values == [0, 2])
        subject.send(3)
        subject.send(4)
        #expect(probe.values == [0, 2, 3])
        probe.subscription?.request(.max(1))
        #expect(probe.values == [0, 2, 3, 4])
    }

    @Test("A value set inside a delivery is current at once, and delivered after it")
    func reentrantSet() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let seen = Recorded<[Int]>([])
        let first = SubjectProbe<Int> { value in
            if value == 1 {
                subject.value = 2
                seen.withLock { $0.append(subject.value) }
                let late = SubjectProbe<Int>()
                subject.subscribe(late)
            }
        }
        let second = SubjectProbe<Int>()
        subject.subscribe(first)
        subject.subscribe(second)
        subject.send(1)
        #expect(seen.value == [2])
        #expect(first.values == [0, 1, 2])
        #expect(second.values == [0, 1, 2])
    }

    @Test("A subscriber that comes inside a delivery gets the newest value once")
    func subscribesInside() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let late = SubjectProbe<Int>()
        let first = SubjectProbe<Int> { value in
            if value == 1 {
                subject.send(2)
                subject.subscribe(late)
                subject.send(3)
            }
        }
        subject.subscribe(first)
        subject.send(1)
        #expect(first.values == [0, 1, 2, 3])
        #expect(late.values.last == 3)
        #expect(late.values == late.values.sorted())
        #expect(Set(late.values).count == late.values.count)
    }

    @Test("The last value delivered is the current one when two threads send")
    func lastIsCurrent() {
        for _ in 0..<raceCount {
            let subject = CurrentValueSubject<Int, Never>(0)
            let probe = SubjectProbe<Int>()
            subject.subscribe(probe)
            SubjectRace.run(
                { for value in 1...10 { subject.send(value) } },
                { for value in 11...20 { subject.value = value } })
            #expect(probe.values.count == 21)
            #expect(probe.values.last == subject.value)
        }
    }

    @Test("A subscriber that comes while another thread sends misses nothing after its first value")
    func subscribeRacesSend() {
        for _ in 0..<raceCount {
            let subject = CurrentValueSubject<Int, Never>(0)
            let probe = SubjectProbe<Int>()
            SubjectRace.run(
                { for value in 1...20 { subject.send(value) } },
                { subject.subscribe(probe) })
            let first = probe.values.first ?? 0
            #expect(probe.values == Array(first...20))
        }
    }

    @Test("After the completion the value stays as it was, and late subscribers get the completion alone")
    func completion() {
        let subject = CurrentValueSubject<Int?, Never>(nil)
        subject.send(1)
        subject.send(completion: .finished)
        subject.send(2)
        let probe = SubjectProbe<Int?>()
        subject.subscribe(probe)
        #expect(subject.value == 1)
        #expect(probe.values.isEmpty)
        #expect(probe.completions == 1)
    }
}

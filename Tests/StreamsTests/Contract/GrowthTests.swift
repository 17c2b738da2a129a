import StreamsTesting
import Synchronization
import Testing

@testable import Streams

@Suite("What is over is let go of")
struct GrowthTests {
    @Test("A subject forgets what it was subscribed to and is not any more")
    func upstreams() {
        struct Weak: Sendable { weak let slot: UpstreamSlot? }
        let registry = ConduitRegistry(countsReferences: false, isDemanded: false)
        let live = (0..<20).map { _ in UpstreamSlot() }
        for slot in live { registry.addUpstream(slot) }
        let ended = (0..<1_000).map { _ in
            let slot = UpstreamSlot()
            registry.addUpstream(slot)
            slot.cancel()
            return Weak(slot: slot)
        }
        #expect(ended.count { $0.slot != nil } <= 50)
        _ = registry.close()
        #expect(live.allSatisfy { !$0.isDone })
    }

    @Test("The places of those who have left a subject are closed up while somebody stays")
    func places() {
        let subject = SubjectBase(keepsLatest: false, countsReferences: false)
        let registry = subject.registry
        func add() -> ConduitHandle {
            let handle = ConduitHandle(subject)
            _ = registry.add(Conduit(handle, AnySubscriber(RecordingSubscriber<Int, Never>())))
            return handle
        }
        var newest = add()
        for _ in 0..<1_000 {
            let next = add()
            _ = registry.remove(newest)
            newest = next
        }
        #expect(newest.index <= 20)
        #expect(registry.conduit(of: newest)?.handle === newest)
    }

    @Test("A slot lets go of its subscription at the end, whatever has been requested before")
    func slots() {
        for requests in 0...2 {
            for isCancelled in [true, false] {
                let slot = UpstreamSlot()
                weak var held: UpstreamSlot?
                do {
                    let upstream = UpstreamSlot()
                    held = upstream
                    #expect(slot.receive(upstream))
                    for _ in 0..<requests { slot.request(.max(1)) }
                }
                #expect(held != nil)
                if isCancelled { slot.cancel() } else { _ = slot.finish() }
                #expect(held == nil, "\(requests) requests, cancelled: \(isCancelled)")
            }
        }
    }

    @Test("An attempt that has been made leaves nothing behind")
    func attempts() {
        weak var waiting: WaitingAttempt?
        let isMade = Recorded(false)
        do {
            let attempt = WaitingAttempt { isMade.update { $0 = true } }
            waiting = attempt
            attempt.keep(Disposable { [attempt] in withExtendedLifetime(attempt) {} })
            attempt.take()?()
        }
        #expect(isMade.value)
        #expect(waiting == nil)
    }

    @Test("A cancel calls a timer back: the scheduler keeps nothing until its time is over")
    func timers() {
        let scheduler = VirtualTimeScheduler()
        let subject = PassthroughSubject<Int, TestError>()
        let failing = Fail<Int, TestError>(error: .expected)
        let publishers: [any Publisher<Int, TestError>] = [
            subject.timeout(.seconds(600), scheduler: scheduler),
            subject.delay(for: .seconds(600), scheduler: scheduler),
            subject.debounce(for: .seconds(600), scheduler: scheduler),
            subject.throttle(for: .seconds(600), scheduler: scheduler, latest: true),
            subject.sample(every: .seconds(600), scheduler: scheduler),
            subject.collect(.byTime(scheduler, .seconds(600))).map(\.count),
            failing.retry(3, backOff: .constant(.seconds(600)), scheduler: scheduler),
        ]
        for publisher in publishers {
            let subscriber = RecordingSubscriber<Int, TestError>()
            subscribe(publisher, subscriber)
            subject.send(1)
            subject.send(2)
            scheduler.advance(by: .seconds(1))
            subject.send(3)
            #expect(scheduler.scheduledCount > 0, "\(publisher)")
            subscriber.cancel()
            scheduler.advance(by: .seconds(1))
            #expect(scheduler.scheduledCount == 0, "\(publisher)")
        }
    }

    @Test("A cancel inside what a timer is set by leaves no timer")
    func cancelledWhileSetting() {
        let time = VirtualTimeScheduler()
        let subject = PassthroughSubject<Int, TestError>()
        let failing = Fail<Int, TestError>(error: .expected)
        let subscriber = Recorded<RecordingSubscriber<Int, TestError>?>(nil)
        let asked = AskedScheduler(base: time) { subscriber.value?.cancel() }
        let publishers: [any Publisher<Int, TestError>] = [
            subject.debounce(for: .seconds(600), scheduler: asked),
            subject.throttle(for: .seconds(600), scheduler: asked, latest: true),
            failing.retry(3, backOff: .constant(.seconds(600)), scheduler: time) { _ in
                subscriber.value?.cancel()
                return true
            },
        ]
        for publisher in publishers {
            let recorder = RecordingSubscriber<Int, TestError>()
            subscriber.update { $0 = recorder }
            subscribe(publisher, recorder)
            subject.send(1)
            time.advance(by: .seconds(1))
            #expect(time.scheduledCount == 0, "\(publisher)")
            #expect(recorder.values.isEmpty)
        }
    }

    @Test("The end of a stream calls its timer back too")
    func ended() {
        let scheduler = VirtualTimeScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = RecordingSubscriber<Int, Never>()
        subject.timeout(.seconds(600), scheduler: scheduler).debounce(for: .seconds(300), scheduler: scheduler)
            .subscribe(subscriber)
        subject.send(1)
        subject.send(completion: .finished)
        scheduler.advance(by: .seconds(1))
        #expect(subscriber.isFinished)
        #expect(scheduler.scheduledCount == 0)
    }

    @Test("Each attempt of a back-off takes one timer, which is gone when it has rung")
    func backOff() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<Int, TestError>()
        Fail<Int, TestError>(error: .expected).retry(100, backOff: .constant(.seconds(1)), scheduler: scheduler)
            .subscribe(subscriber)
        for _ in 0..<100 {
            #expect(scheduler.scheduledCount == 1)
            scheduler.advance(by: .seconds(1))
        }
        #expect(subscriber.completion != nil)
        #expect(scheduler.scheduledCount == 0)
    }
}

/// Virtual time, with something that happens whenever somebody asks for it.
private struct AskedScheduler: Scheduler {
    let base: VirtualTimeScheduler
    let onNow: @Sendable () -> Void

    var now: VirtualTime {
        onNow()
        return base.now
    }
    var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

    func schedule(options: VirtualTimeScheduler.SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        base.schedule(options: options, action)
    }

    func schedule(
        after date: VirtualTime, tolerance: VirtualTime.Stride, options: VirtualTimeScheduler.SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    func schedule(
        after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride,
        options: VirtualTimeScheduler.SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

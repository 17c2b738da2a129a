import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("receive(on:), while it starts and when it stops")
struct ReceiveOnStartTests {
    @Test("A cancel inside the subscription signal is safe, and completes what the downstream completes")
    func cancelInSubscription() {
        for _ in 0..<raceCount {
            let subscriber = RecordingSubscriber<Int, Never>()
            (0..<10).publisher.receive(on: DispatchQueue.global()).prefix(0).subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.values.isEmpty)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("No value comes while the subscription is still being delivered")
    func subscriptionFirst() {
        let queue = DispatchQueue(label: "serial")
        let isInside = Atomic(false)
        let overlaps = Counter()
        let done = DispatchSemaphore(value: 0)
        (0..<10).publisher.receive(on: queue).subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: { subscription in
                    isInside.store(true, ordering: .sequentiallyConsistent)
                    subscription.request(.unlimited)
                    // Whatever had been scheduled by the request has run when this returns.
                    queue.sync {}
                    isInside.store(false, ordering: .sequentiallyConsistent)
                },
                receiveValue: { _ in
                    if isInside.load(ordering: .sequentiallyConsistent) { overlaps.increment() }
                    return .none
                },
                receiveCompletion: { _ in done.signal() }))
        #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(overlaps.count == 0)
    }

    @Test("A failure waits behind the values")
    func failureBehindValues() {
        struct Broken: Error {}
        let subscriber = RecordingSubscriber<Int, Broken>()
        (0..<100).publisher.setFailureType(to: Broken.self).append(Fail<Int, Broken>(error: Broken()))
            .receive(on: DispatchQueue.global()).subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        #expect(subscriber.values == Array(0..<100))
        #expect(!subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A cancel lets go of the queued values")
    func cancelReleasesQueue() {
        final class Token: Sendable {}
        let queue = DispatchQueue(label: "serial")
        queue.suspend()
        let subscriber = RecordingSubscriber<Token, Never>()
        weak var token: Token?
        do {
            let queued = Token()
            token = queued
            Just(queued).receive(on: queue).subscribe(subscriber)
        }
        #expect(token != nil)
        subscriber.cancel()
        queue.resume()
        queue.sync {}
        #expect(token == nil)
        #expect(subscriber.values.isEmpty)
    }

    @Test("A burst is handed over with one scheduled block")
    func oneBlock() {
        let scheduler = CountingScheduler()
        scheduler.queue.suspend()
        let subscriber = RecordingSubscriber<Int, Never>()
        (0..<1_000).publisher.receive(on: scheduler).subscribe(subscriber)
        scheduler.queue.resume()
        #expect(subscriber.waitForCompletion())
        #expect(subscriber.values == Array(0..<1_000))
        #expect(scheduler.blocks.count == 1)
    }

    @Test("What waits for its time runs, though the pool was let go of meanwhile")
    func poolOutlivesItsOwner() {
        let ran = DispatchSemaphore(value: 0)
        do {
            let pool = ThreadPoolScheduler(width: 1, name: "late")
            pool.schedule {}
            pool.schedule(after: pool.now.advanced(by: .milliseconds(1))) { ran.signal() }
        }
        #expect(ran.wait(timeout: .now() + .seconds(60)) == .success)
    }

    @Test("A cancelled interval stops")
    func interval() {
        let queue = DispatchQueue(label: "serial")
        let ticks = DispatchSemaphore(value: 0)
        let timer = queue.schedule(after: queue.now, interval: .milliseconds(1)) { ticks.signal() }
        for _ in 0..<3 { #expect(ticks.wait(timeout: .now() + .seconds(60)) == .success) }
        timer.cancel()
        queue.sync {}
        while ticks.wait(timeout: .now()) == .success {}
        queue.sync {}
        #expect(ticks.wait(timeout: .now()) == .timedOut)
    }
}

/// A serial queue that counts what is scheduled on it.
private struct CountingScheduler: Scheduler {
    let queue = DispatchQueue(label: "counting")
    let blocks = Counter()

    var now: DispatchQueue.SchedulerTimeType { queue.now }
    var minimumTolerance: DispatchQueue.SchedulerTimeType.Stride { queue.minimumTolerance }

    func schedule(options: DispatchQueue.SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        blocks.increment()
        queue.schedule(options: options, action)
    }

    func schedule(
        after date: DispatchQueue.SchedulerTimeType, tolerance: DispatchQueue.SchedulerTimeType.Stride,
        options: DispatchQueue.SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
        queue.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    func schedule(
        after date: DispatchQueue.SchedulerTimeType, interval: DispatchQueue.SchedulerTimeType.Stride,
        tolerance: DispatchQueue.SchedulerTimeType.Stride, options: DispatchQueue.SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        queue.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

import Streams
import StreamsTesting
import Testing

@Suite("Lifetimes, counters and disposables")
struct LifetimeTests {
    @Test("What is bound to a lifetime is cancelled with it")
    func lifetime() {
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = RecordingSubscriber<Int, Never>()
        var lifetime: Lifetime? = Lifetime()
        if let lifetime {
            subject.sink { _ in }.store(in: lifetime)
            subject.prefix(during: lifetime).subscribe(subscriber)
        }
        subject.send(1)
        lifetime = nil
        #expect(subscriber.values == [1])
        #expect(subscriber.isFinished)
        #expect(!subject.hasSubscribers)
    }

    @Test("A lifetime that has ended cancels what comes later, and its publisher says so at once")
    func ended() {
        let lifetime = Lifetime()
        lifetime.end()
        let cancelled = Counter()
        AnyCancellable { cancelled.increment() }.store(in: lifetime)
        #expect(cancelled.count == 1)
        #expect(lifetime.hasEnded)
        let subscriber = RecordingSubscriber<Int, Never>()
        PassthroughSubject<Int, Never>().prefix(during: lifetime).subscribe(subscriber)
        #expect(subscriber.isFinished)
    }

    @Test("A reference-counted disposable waits for everything that was retained of it, whatever is cancelled twice")
    func refCount() {
        let cancelled = Counter()
        let disposable = RefCountDisposable(Disposable { cancelled.increment() })
        let (first, second) = (disposable.retain(), disposable.retain())
        disposable.cancel()
        disposable.cancel()
        first.cancel()
        first.cancel()
        #expect(cancelled.count == 0)
        second.cancel()
        #expect(cancelled.count == 1)
        disposable.retain().cancel()
        #expect(cancelled.count == 1)
    }

    @Test("A scheduled disposable cancels on its scheduler")
    func scheduled() {
        let scheduler = VirtualTimeScheduler()
        let cancelled = Counter()
        let disposable = ScheduledDisposable(on: scheduler, Disposable { cancelled.increment() })
        disposable.cancel()
        #expect(cancelled.count == 0)
        scheduler.run()
        #expect(cancelled.count == 1)
    }

    @Test("A resource counter counts subscriptions from their beginning to their end")
    func counter() {
        let counter = ResourceCounter()
        let subject = PassthroughSubject<Int, Never>()
        let publisher = counter.counting(subject)
        let first = publisher.sink { _ in }
        let second = publisher.sink { _ in }
        #expect(counter.count == 2)
        first.cancel()
        #expect(counter.count == 1)
        subject.send(completion: .finished)
        #expect(counter.count == 0)
        #expect(counter.total == 2)
        second.cancel()
    }

    @Test("Disposables know whether they have been cancelled")
    func cancelled() {
        let (single, serial, composite) = (
            SingleAssignmentDisposable(), SerialDisposable(), CompositeDisposable()
        )
        for isCancelled in [false, true] {
            #expect(single.isCancelled == isCancelled)
            #expect(serial.isCancelled == isCancelled)
            #expect(composite.isCancelled == isCancelled)
            if isCancelled { break }
            single.set(Disposable())
            serial.set(Disposable())
            composite.add(Disposable())
            #expect(!single.isCancelled && !serial.isCancelled && !composite.isCancelled)
            single.cancel()
            serial.cancel()
            composite.cancel()
        }
    }

    @Test("A resource counter's token counts until it is released, once, or is let go of")
    func token() {
        let counter = ResourceCounter()
        do {
            let (released, kept) = (counter.retain(), counter.retain())
            released.release()
            released.release()
            #expect(counter.count == 1)
            withExtendedLifetime(kept) {}
        }
        #expect(counter.count == 0)
        #expect(counter.total == 2)
    }

    @Test("A scheduled disposable that is let go of without a cancel lets go of its content on its scheduler")
    func scheduledDropped() {
        let scheduler = VirtualTimeScheduler()
        let (cancelled, disposed) = (Counter(), Counter())
        do {
            _ = ScheduledDisposable(on: scheduler, AnyCancellable { cancelled.increment() })
            _ = ScheduledDisposable(on: scheduler, Disposable { disposed.increment() })
        }
        #expect(cancelled.count == 0)
        scheduler.run()
        #expect(cancelled.count == 1)
        #expect(disposed.count == 0)
    }

    @Test("A scheduled disposable that is cancelled and let go of cancels once")
    func scheduledCancelledAndDropped() {
        let scheduler = VirtualTimeScheduler()
        let cancelled = Counter()
        do {
            let disposable = ScheduledDisposable(on: scheduler, Disposable { cancelled.increment() })
            disposable.cancel()
            disposable.cancel()
        }
        scheduler.run()
        #expect(cancelled.count == 1)
    }
}

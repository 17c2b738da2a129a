import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("What subscribe(on:) keeps, and until when")
struct SubscribeOnLifetimeTests {
    @Test("A stream that is over, or was cancelled before its turn, keeps nothing while the cancellable is kept")
    func letsGo() {
        final class Witness: Sendable {}
        for isCancelled in [false, true] {
            let time = VirtualTimeScheduler()
            weak var seenByValue: Witness?
            weak var seenByEnd: Witness?
            weak var seenByUpstream: Witness?
            weak var seenByScheduler: Witness?
            let sink: AnyCancellable
            do {
                let witnesses = (Witness(), Witness(), Witness(), Witness())
                (seenByValue, seenByEnd, seenByUpstream, seenByScheduler) = witnesses
                let scheduler = AnyScheduler(Watched(time: time, witness: witnesses.3))
                sink = [1, 2].publisher.map { [two = witnesses.2] value in withExtendedLifetime(two) { value } }
                    .subscribe(on: scheduler)
                    .sink(
                        receiveCompletion: { [one = witnesses.1] _ in withExtendedLifetime(one) {} },
                        receiveValue: { [zero = witnesses.0] _ in withExtendedLifetime(zero) {} })
            }
            if isCancelled { sink.cancel() }
            time.run()
            #expect(seenByValue == nil && seenByEnd == nil && seenByUpstream == nil)
            #expect(seenByScheduler == nil)
            withExtendedLifetime(sink) {}
        }
    }

    @Test("A cancel that meets the end on another thread leaves nothing to be delivered after it")
    func cancelMeetsEnd() {
        let queue = DispatchQueue(label: "serial")
        for _ in 0..<raceCount {
            let isOver = Atomic(false)
            let late = Counter()
            let subject = PassthroughSubject<Int, TestError>()
            let sink = subject.subscribe(on: queue).sink(
                receiveCompletion: { _ in if isOver.load(ordering: .acquiring) { late.increment() } },
                receiveValue: { _ in if isOver.load(ordering: .acquiring) { late.increment() } })
            queue.sync {}
            race(
                {
                    subject.send(1)
                    subject.send(completion: .finished)
                },
                { sink.cancel() })
            isOver.store(true, ordering: .releasing)
            subject.send(2)
            queue.sync {}
            #expect(late.count == 0)
        }
    }

    /// A scheduler that a test sees go.
    private struct Watched<Witness: Sendable>: Scheduler {
        let time: VirtualTimeScheduler
        let witness: Witness

        var now: VirtualTime { time.now }
        var minimumTolerance: VirtualTime.Stride { time.minimumTolerance }

        func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
            time.schedule(options: nil, action)
        }

        func schedule(
            after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?,
            _ action: @escaping @Sendable () -> Void
        ) {
            time.schedule(after: date, tolerance: tolerance, options: nil, action)
        }

        func schedule(
            after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
            _ action: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            time.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
        }
    }
}

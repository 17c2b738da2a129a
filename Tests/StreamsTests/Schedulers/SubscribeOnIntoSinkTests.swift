import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

/// A sink behind subscribe(on:) shares the operator's slot: the code that serves it is another.
@Suite("subscribe(on:) right before a sink")
struct SubscribeOnIntoSinkTests {
    typealias Upstream = AnyPublisher<Int, TestError>
    typealias Sink = @Sendable (Publishers.SubscribeOn<Upstream, VirtualTimeScheduler>, Play) -> AnyCancellable

    @Test("Upstream and sink see what they see of a sink elsewhere, whatever is sent and cancelled when")
    func sameAsElsewhere() {
        for seed in UInt64(0)..<1_000 {
            let elsewhere = Play(seed: seed).played { stream, play in
                stream.map { $0 }.sink(receiveCompletion: { play.end($0) }, receiveValue: { play.value($0) })
            }
            let direct = Play(seed: seed).played { stream, play in
                stream.sink(receiveCompletion: { play.end($0) }, receiveValue: { play.value($0) })
            }
            #expect(direct == elsewhere, "seed \(seed)")
            let values = Play(seed: seed).played { stream, play in
                Publishers.SubscribeOn(
                    upstream: stream.upstream.catch { _ in Empty<Int, Never>() }, scheduler: stream.scheduler,
                    options: nil
                )
                .sink { play.value($0) }
            }
            #expect(values == elsewhere.filter { $0 != "finished" && $0 != "failed" }, "seed \(seed)")
        }
    }

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
            if !isCancelled { #expect(seenByScheduler == nil) }
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

    /// Thirty random steps, and what upstream and sink have seen of them.
    final class Play: Sendable {
        private let subject = PassthroughSubject<Int, TestError>()
        private let time = VirtualTimeScheduler()
        private let seen = Mutex<[String]>([])
        private let cancellable = Mutex<AnyCancellable?>(nil)
        private let random: Mutex<SeededGenerator>

        init(seed: UInt64) {
            random = Mutex(SeededGenerator(seed: seed))
        }

        func played(_ sink: Sink) -> [String] {
            let upstream = subject.prepend(choice(of: 2) == 0 ? [] : [90, 91]).handleEvents(
                receiveSubscription: { _ in self.note("subscribed") }, receiveCancel: { self.note("left") },
                receiveRequest: { self.note("asked for \($0)") })
            let stream = upstream.eraseToAnyPublisher().subscribe(on: time)
            let sink = sink(stream, self)
            cancellable.withLock { $0 = sink }
            for step in 0..<30 { take(step) }
            time.run()
            note("let go")
            sink.cancel()
            cancellable.withLock { $0 = nil }
            time.run()
            return seen.withLock { $0 }
        }

        func value(_ value: Int) {
            note("\(value)")
            if choice(of: 12) == 0 { cancellable.withLock { $0 }?.cancel() }
        }

        func end(_ completion: Subscribers.Completion<TestError>) {
            note(completion == .finished ? "finished" : "failed")
        }

        private func take(_ step: Int) {
            switch choice(of: 40) {
            case 0: cancellable.withLock { $0 }?.cancel()
            case 1: subject.send(completion: .finished)
            case 2: subject.send(completion: .failure(.overflow))
            case 3..<14: time.run()
            default: subject.send(step)
            }
        }

        private func note(_ event: String) { seen.withLock { $0.append(event) } }

        private func choice(of count: Int) -> Int {
            random.withLock { Int.random(in: 0..<count, using: &$0) }
        }
    }
}

import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Passes the time.
private final class Looks: Sendable {
    private let count = Atomic(0)

    func pass() { count.add(1, ordering: .relaxed) }
}

@Suite("The rules of flatMap, merge and switchToLatest")
struct MergeRuleTests {
    @Test("flatMap with a short demand doesn't run ahead: an inner one ends when its queued value is delivered")
    func boundedQueue() {
        let made = Atomic(0)
        let recorder = ContractRecorder<Int, Never>(initial: .max(2))
        (0..<100_000).publisher
            .flatMap(maxPublishers: .max(1)) { value in
                made.add(1, ordering: .relaxed)
                return Just(value)
            }
            .subscribe(recorder)
        #expect(recorder.values == [0, 1])
        #expect(made.load(ordering: .relaxed) <= 3)
        recorder.request(.unlimited)
        #expect(recorder.values.count == 100_000 && recorder.completions == [.finished])
        #expect(recorder.breaches == [])
    }

    @Test("A failure inside a value stops an inner publisher that is being subscribed to, at once")
    func failureWhileSubscribing() {
        let failing = ScriptedSource<Int>()
        let recorder = ContractRecorder<Int, ScriptedError>(
            initial: .unlimited,
            onValue: {
                if $0 == 2 { failing.send(completion: .failure(ScriptedError(code: 7))) }
                return .none
            })
        let endless = (0...).lazy.prefix(1_000).publisher.setFailureType(to: ScriptedError.self).eraseToAnyPublisher()
        Publishers.MergeMany(failing.eraseToAnyPublisher(), endless).subscribe(recorder)
        #expect(recorder.values == [0, 1, 2])
        #expect(recorder.completions == [.failure(ScriptedError(code: 7))])
        #expect(recorder.breaches == [])
    }

    @Test("A cancel reaches an inner publisher though its last value's delivery ends on another thread meanwhile")
    func cancelBesideDelivery() {
        let (isInside, isCancelling, isLeft) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        // The cancel comes to the outer publisher first, and waits there until the delivery is through.
        let outer = PassthroughSubject<Int, Never>()
        let slow = outer.handleEvents(receiveCancel: {
            isCancelling.signal()
            isLeft.wait()
        })
        let inner = PassthroughSubject<Int, Never>()
        let sink = slow.flatMap { _ in inner }.sink { _ in
            isInside.signal()
            isCancelling.wait()
        }
        outer.send(0)
        DispatchQueue.global().async {
            inner.send(1)
            isLeft.signal()
        }
        isInside.wait()
        sink.cancel()
        #expect(!inner.hasSubscribers)
    }

    @Test("A cancel inside the subscription signal is safe, cancels the upstream and delivers nothing")
    func cancelInSubscription() {
        let outer = ScriptedSource<Int>()
        let recorder = ContractRecorder<Int, Never>(onSubscription: { $0.cancel() })
        outer.catch { _ in Empty<Int, Never>() }.flatMap { Just($0) }.subscribe(recorder)
        #expect(outer.isSubscribed == false || outer.isCancelled)
        #expect(recorder.values == [] && recorder.completions == [])
    }

    @Test("The subscriber is released by a cancel and by the end, though the subscription is kept")
    func release() {
        for ends in [false, true] {
            let source = ScriptedSource<Int>()
            weak var released: ContractRecorder<Int, ScriptedError>?
            let kept = Mutex<(any Subscription)?>(nil)
            do {
                let recorder = ContractRecorder<Int, ScriptedError>(
                    initial: .unlimited, onSubscription: { new in kept.withLock { $0 = new } })
                released = recorder
                source.flatMap { Just($0).setFailureType(to: ScriptedError.self) }.subscribe(recorder)
                source.send(1)
                recorder.state.withLock { $0.subscription = nil }
            }
            if ends { source.send(completion: .finished) } else { kept.withLock { $0 }?.cancel() }
            #expect(released == nil)
        }
    }

    @Test("Combine's overloads for publishers that cannot fail")
    func overloads() {
        let failing = ScriptedSource<Int>()
        let first = ContractRecorder<Int, ScriptedError>(initial: .unlimited)
        failing.flatMap { Just($0) }.subscribe(first)
        failing.send(1)
        #expect(first.values == [1])
        let second = ContractRecorder<Int, ScriptedError>(initial: .unlimited)
        Just(5).flatMap { Fail<Int, ScriptedError>(error: ScriptedError(code: $0)) }.subscribe(second)
        #expect(second.completions == [.failure(ScriptedError(code: 5))])
        let third = ContractRecorder<Int, ScriptedError>(initial: .unlimited)
        Just(5).map { Fail<Int, ScriptedError>(error: ScriptedError(code: $0)) }.switchToLatest().subscribe(third)
        #expect(third.completions == [.failure(ScriptedError(code: 5))])
        let fourth = ContractRecorder<Int, ScriptedError>(initial: .unlimited)
        Just(5).setFailureType(to: ScriptedError.self).map { Just($0) }.switchToLatest().subscribe(fourth)
        #expect(fourth.values == [5] && fourth.completions == [.finished])
        let fifth = ContractRecorder<Int, Never>(initial: .unlimited)
        Just(5).map { Just($0) }.switchToLatest().flatMap { Just($0) }.subscribe(fifth)
        #expect(fifth.values == [5] && fifth.completions == [.finished])
    }

    @Test("merge takes two to eight publishers")
    func arities() {
        let recorder = ContractRecorder<Int, Never>(initial: .unlimited)
        Just(1).merge(with: (2...3).publisher)
            .merge(with: Just(4), Just(5), Just(6), Just(7), Just(8), Just(9), Just(10))
            .merge(with: Just(11), Just(12)).subscribe(recorder)
        #expect(recorder.values == Array(1...12) && recorder.completions == [.finished])
        let same = ContractRecorder<Int, Never>(initial: .unlimited)
        Just(1).merge(with: Just(2)).subscribe(same)
        #expect(same.values == [1, 2] && same.completions == [.finished])
    }

    @Test(
        "switchToLatest: inner values that race with the outer failure never follow it (FIELD: nothing after terminal)")
    func switchRace() {
        for _ in 0..<raceCount {
            let outer = ScriptedSource<ScriptedSource<Int>>()
            let inner = ScriptedSource<Int>()
            let recorder = ContractRecorder<Int, ScriptedError>(initial: .unlimited)
            outer.switchToLatest().subscribe(recorder)
            outer.send(inner)
            let ready = Atomic(0)
            let threads = DispatchGroup()
            let acts: [@Sendable () -> Void] = [
                { for value in 0..<20 { inner.send(value) } },
                { outer.send(completion: .failure(ScriptedError())) },
            ]
            for act in acts {
                threads.enter()
                Thread {
                    ready.add(1, ordering: .acquiringAndReleasing)
                    while ready.load(ordering: .acquiring) < 2 {}
                    act()
                    threads.leave()
                }.start()
            }
            #expect(threads.wait(timeout: .now() + 30) == .success)
            #expect(recorder.completions == [.failure(ScriptedError())])
            #expect(recorder.breaches == [] && recorder.values == Array(0..<recorder.values.count))
            #expect(inner.isCancelled)
        }
    }

    @Test("merge subscribes to all of its publishers, though a value of the first waits")
    func subscribesToAll() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = ContractRecorder<Int, Never>(initial: .none)
        Just(1).merge(with: subject).subscribe(recorder)
        #expect(subject.hasSubscribers)
        recorder.request(.max(1))
        recorder.request(.max(1))
        subject.send(2)
        #expect(recorder.values == [1, 2])
        recorder.cancel()
    }

    @Test("What waits of a publisher behind a delivery is dropped when switchToLatest goes over to the next one")
    func dropsWhatWaits() {
        let publishers = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
        let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
        let values = Mutex<[Int]>([])
        let sink = publishers.switchToLatest().sink { value in
            values.withLock { $0.append(value) }
            guard value == 0 else { return }
            for number in 1..<3 {
                publishers.send(subjects[number].eraseToAnyPublisher())
                subjects[number].send(number)
            }
        }
        publishers.send(subjects[0].eraseToAnyPublisher())
        subjects[0].send(0)
        #expect(values.withLock { $0 } == [0, 2])
        sink.cancel()
    }

    @Test(
        "An inner publisher that sends from inside another one's closure is asked for more, though it was asked when demand was finite"
    )
    func sentFromInside() {
        let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
        let inner = PassthroughSubject<Int, Never>()
        let recorder = ContractRecorder<Int, Never>(initial: .max(5))
        outer.flatMap { $0 }.subscribe(recorder)
        outer.send(inner.onBackpressureBuffer().eraseToAnyPublisher())
        recorder.request(.unlimited)
        outer.send(
            [1, 2].publisher.map {
                if $0 == 1 { inner.send(100) }
                return $0
            }.eraseToAnyPublisher())
        for value in 201...203 { inner.send(value) }
        #expect(recorder.values == [100, 1, 2, 201, 202, 203])
    }

    @Test("merge of any number delivers the values of each and ends with the last")
    func mergeOfAny() {
        let a = (0..<2).map { Just($0) }
        let merged: [any Publisher<Int, Never>] = [
            a[0].merge(with: a[1]), a[0].merge(with: a[1], a[1]), a[0].merge(with: a[1], a[1], a[1]),
            a[0].merge(with: a[1], a[1], a[1], a[1]), a[0].merge(with: a[1], a[1], a[1], a[1], a[1]),
            a[0].merge(with: a[1], a[1], a[1], a[1], a[1], a[1]),
            a[0].merge(with: a[1], a[1], a[1], a[1], a[1], a[1], a[1]), Publishers.MergeMany(a + a),
        ]
        for (index, publisher) in merged.enumerated() {
            let subscriber = RecordingSubscriber<Int, Never>()
            subscribe(publisher, subscriber)
            #expect(
                subscriber.values.sorted() == (index < 7 ? [0] + Array(repeating: 1, count: index + 1) : [0, 0, 1, 1]))
            #expect(subscriber.isFinished && subscriber.violations.isEmpty)
        }
    }

    @Test("An inner publisher that ends while it is left takes nothing from the next one")
    func endsWhileLeft() {
        typealias Inner = PassthroughSubject<Int, Never>
        let looks = Looks()
        let rounds = (0..<10 * raceCount).map { number in
            let (outer, first, next) = (PassthroughSubject<Inner, Never>(), Inner(), Inner())
            let recorder = RecordingSubscriber<Int, Never>()
            outer.switchToLatest().subscribe(recorder)
            outer.send(first)
            return (outer: outer, first: first, next: next, recorder: recorder, pause: number % 100 * 5)
        }
        duel(
            rounds.map { round in
                (
                    {
                        for _ in 0..<round.pause { looks.pass() }
                        round.first.send(completion: .finished)
                    }, { round.outer.send(round.next) }
                )
            })
        for (outer, _, next, recorder, _) in rounds {
            outer.send(completion: .finished)
            #expect(recorder.completion == nil)
            next.send(1)
            next.send(completion: .finished)
            #expect(recorder.values == [1] && recorder.isFinished)
        }
    }
}

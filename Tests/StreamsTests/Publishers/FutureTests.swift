import Streams
import Testing

@Suite("Future")
struct FutureTests {
    struct Refused: Error, Equatable {}

    @Test("The work starts at once and runs once for all subscribers")
    func eager() {
        let runs = Recorded(0)
        let future = Future<Int, Never> { promise in
            runs.withLock { $0 += 1 }
            promise(.success(1))
        }
        #expect(runs.value == 1)
        for _ in 0..<2 {
            let probe = SubjectProbe<Int>()
            future.subscribe(probe)
            #expect(probe.values == [1])
            #expect(probe.completions == 1)
        }
        #expect(runs.value == 1)
    }

    @Test("The first result counts, whatever the number of calls and threads")
    func firstCounts() {
        for _ in 0..<raceCount {
            let promises = Recorded<[Future<Int, Never>.Promise]>([])
            let future = Future<Int, Never> { promise in promises.withLock { $0 = [promise] } }
            let probe = SubjectProbe<Int>()
            let other = SubjectProbe<Int>()
            future.subscribe(probe)
            let promise = promises.withLock { $0[0] }
            SubjectRace.run(
                {
                    promise(.success(1))
                    promise(.success(3))
                },
                { promise(.success(2)) }, { future.subscribe(other) })
            #expect(probe.values == [1] || probe.values == [2])
            #expect(other.values == probe.values)
            #expect(probe.completions == 1)
        }
    }

    @Test("The value waits for a request")
    func demand() {
        let future = Future<Int, Never> { $0(.success(1)) }
        let probe = SubjectProbe<Int>(demand: .none)
        future.subscribe(probe)
        #expect(probe.values.isEmpty && probe.completions == 0)
        probe.subscription?.request(.max(1))
        #expect(probe.values == [1] && probe.completions == 1)
        probe.subscription?.request(.max(1))
        #expect(probe.values == [1] && probe.completions == 1)
    }

    @Test("The value waits for a request also when the future has gone")
    func outlives() {
        let probe = SubjectProbe<Int>(demand: .none)
        do {
            let promises = Recorded<[Future<Int, Never>.Promise]>([])
            let future = Future<Int, Never> { promise in promises.withLock { $0 = [promise] } }
            future.subscribe(probe)
            for promise in promises.value { promise(.success(1)) }
        }
        #expect(probe.values.isEmpty)
        probe.subscription?.request(.max(1))
        #expect(probe.values == [1] && probe.completions == 1)
    }

    @Test("A failure waits for nothing")
    func failure() {
        let failures = Recorded<[Refused]>([])
        let future = Future<Int, Refused> { $0(.failure(Refused())) }
        future.subscribe(
            AnySubscriber<Int, Refused>(receiveCompletion: { completion in
                if case .failure(let error) = completion { failures.withLock { $0.append(error) } }
            }))
        #expect(failures.value == [Refused()])
    }

    @Test("A cancelled subscriber gets nothing and is let go of; the others get theirs, in order")
    func cancellation() {
        let promises = Recorded<[Future<Int, Never>.Promise]>([])
        let future = Future<Int, Never> { promise in promises.withLock { $0 = [promise] } }
        let order = Recorded<[Int]>([])
        let isReleased = Recorded(false)
        var cancellables = (0..<3).map { index in
            let marker = ReleaseMarker { if index == 1 { isReleased.set(true) } }
            return future.sink { _ in
                withExtendedLifetime(marker) {}
                order.withLock { $0.append(index) }
            }
        }
        cancellables[1].cancel()
        #expect(isReleased.value)
        for promise in promises.value { promise(.success(1)) }
        #expect(order.value == [0, 2])
        cancellables = []
    }

    @Test("A promise that is let go of without being called lets go of the subscribers")
    func forgotten() {
        let isReleased = Recorded(false)
        let probe = Recorded<AnyCancellable?>(nil)
        do {
            let marker = ReleaseMarker { isReleased.set(true) }
            let future = Future<Int, Never> { _ in }
            probe.withLock { $0 = future.sink { _ in withExtendedLifetime(marker) {} } }
        }
        #expect(isReleased.value)
        probe.value?.cancel()
    }

    @Test("A future without a result forgets whoever has cancelled, and ignores who asks or cancels afterwards")
    func forgets() {
        struct Weak: Sendable { weak let link: (any Subscription)? }
        let promises = Recorded<[Future<Int, Never>.Promise]>([])
        let future = Future<Int, Never> { promise in promises.withLock { $0 = [promise] } }
        let probe = SubjectProbe<Int>()
        future.subscribe(probe)
        let links = (0..<10).map { _ in
            let link = Recorded<(any Subscription)?>(nil)
            future.subscribe(AnySubscriber<Int, Never>(receiveSubscription: { link.set($0) }))
            link.value?.request(.max(1))
            link.value?.cancel()
            link.value?.cancel()
            link.value?.request(.max(1))
            return Weak(link: link.value)
        }
        #expect(links.allSatisfy { $0.link == nil })
        for promise in promises.value { promise(.success(1)) }
        #expect(probe.values == [1] && probe.completions == 1)
    }
}

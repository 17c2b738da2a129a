import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Properties under a race")
struct RacePropertyTests {
    private static let model = OperatorModel<Int>.values { values, end in .init(values, end) }

    @Test("A failure that overtakes what waits for a delivery on another thread is found by a model")
    func overtaking() throws {
        let failure = try #require(throws: PropertyFailure.self) {
            try RaceProperty<Int>("queued", inputs: 1, model: Self.model) {
                Queued(upstream: $0[0], overtaking: .failure)
            }.check(cases: 500, seed: 1)
        }
        #expect("\(failure)".contains("failure(\"✕\") of 0, while"))
    }

    @Test("The same operator without that fault holds")
    func holding() throws {
        try RaceProperty<Int>("queued", inputs: 1, model: Self.model) {
            Queued(upstream: $0[0], overtaking: .nothing)
        }.check(cases: 5, seed: 1)
    }

    @Test("A finish that overtakes what waits is found while one thread sends in order and the other requests")
    func order() throws {
        let queued = { @Sendable (overtaking: Overtaking) in
            OperatorProperty("queued", model: Self.model) { Queued(upstream: $0, overtaking: overtaking) }
        }
        #expect(throws: PropertyFailure.self) { try queued(.finish).checkOrder(cases: 100, seed: 1) }
        try queued(.nothing).checkOrder(cases: 5, seed: 1)
    }

    @Test("Values of any one upstream that come in another order are found", arguments: [0, 1])
    func swapped(input: Int) throws {
        let failure = try #require(throws: PropertyFailure.self) {
            try RaceProperty<Int>("swapped", inputs: 2, keepsOrder: true, startsAnew: false) { upstreams in
                upstreams[1 - input].merge(
                    with: upstreams[input].collect(2)
                        .flatMap { $0.reversed().publisher.setFailureType(to: TestFailure.self) })
            }.check(cases: 500, seed: 1)
        }
        #expect("\(failure)".contains("not in order: [\(input + 1)00"))
    }

    @Test("One case is looked at where one is asked for")
    func oneCase() {
        let adding = OperatorProperty("adding", model: Self.model) { $0.prepend(-1) }
        #expect(throws: PropertyFailure.self) { try adding.checkOrder(cases: 1, seed: 1) }
        #expect(throws: PropertyFailure.self) {
            try RaceProperty<Int>("adding", inputs: 1, model: Self.model) { $0[0].prepend(-1) }.check(cases: 1, seed: 1)
        }
    }

    @Test("A place that is kept for whoever was cancelled while it requested is found by the next subscriber")
    func leaving() throws {
        let failure = try #require(throws: PropertyFailure.self) {
            try RaceProperty<Int>("one at a time", inputs: 1) { oneAtATime($0[0]) }.check(cases: 500, seed: 1)
        }
        #expect("\(failure)".contains("the next subscriber is not served as the first of a new publisher is"))
        #expect(!"\(failure)".contains("as the next one comes"))
    }

    @Test("A cancel that does not reach the upstream is found")
    func uncancelled() throws {
        let failure = try #require(throws: PropertyFailure.self) {
            try RaceProperty<Int>("relayed", inputs: 1, startsAnew: false) { upstreams in
                Deferred {
                    let subject = PassthroughSubject<Int, TestFailure>()
                    upstreams[0].subscribe(AnySubscriber(subject))
                    return subject
                }
            }.check(cases: 50, seed: 1)
        }
        #expect("\(failure)".contains("the cancel did not reach every upstream"))
    }

    @Test("Of a publisher that need not start anew nothing is said, and one that is shared holds")
    func startingAnew() throws {
        try RaceProperty<Int>("one at a time", inputs: 1, startsAnew: false) { oneAtATime($0[0]) }
            .check(cases: 20, seed: 1)
        try RaceProperty<Int>("shared", inputs: 1) { $0[0].share() }.check(cases: 20, seed: 1)
    }
}

/// Passes an upstream on, but to nobody once a request has come behind the cancel of whoever was alone there.
private func oneAtATime(_ upstream: AnyPublisher<Int, TestFailure>) -> some Publisher<Int, TestFailure> {
    let place = Place()
    return Deferred {
        guard place.enter() else { return Empty<Int, TestFailure>().eraseToAnyPublisher() }
        return upstream.handleEvents(receiveCancel: { place.leave() }, receiveRequest: { _ in place.take() })
            .eraseToAnyPublisher()
    }
}

private final class Place: Sendable {
    private let taken = Atomic(false)
    private let present = Atomic(0)
    private let looks = Atomic(0)

    func enter() -> Bool {
        if present.load(ordering: .acquiring) == 0, taken.load(ordering: .acquiring) { return false }
        present.add(1, ordering: .acquiringAndReleasing)
        return true
    }

    func take() {
        // Long enough for a cancel to come in between on any machine.
        for _ in 0..<500 { looks.add(1, ordering: .relaxed) }
        taken.store(true, ordering: .releasing)
    }

    func leave() {
        taken.store(false, ordering: .releasing)
        present.subtract(1, ordering: .acquiringAndReleasing)
    }
}

/// The end that overtakes what waits for a delivery on another thread.
private enum Overtaking {
    case nothing, failure, finish
}

/// Delivers what its upstream delivers on whichever thread is at it: that of the upstream, or of a request.
private struct Queued: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: AnyPublisher<Int, TestFailure>
    let overtaking: Overtaking

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let queue = Queue(AnySubscriber(subscriber), overtaking)
        upstream.receive(
            subscriber: AnySubscriber(
                receiveSubscription: {
                    queue.begin($0)
                    subscriber.receive(subscription: queue)
                },
                receiveValue: { value in
                    queue.put { $0.values.append(value) }
                    return .none
                },
                receiveCompletion: { end in queue.put { $0.end = end } }))
    }

    private final class Queue: Subscription {
        struct State: Sendable {
            var upstream: (any Subscription)?
            var values: [Int] = []
            var end: Subscribers.Completion<TestFailure>?
            var isDelivering = false
        }

        private let state = Mutex(State())
        private let downstream: Mutex<AnySubscriber<Int, TestFailure>?>
        private let overtaking: Overtaking
        private let looks = Atomic(0)

        init(_ downstream: AnySubscriber<Int, TestFailure>, _ overtaking: Overtaking) {
            self.downstream = Mutex(downstream)
            self.overtaking = overtaking
        }

        func begin(_ subscription: any Subscription) {
            state.withLock { $0.upstream = subscription }
        }

        func put(_ change: (inout State) -> Void) {
            state.withLock { change(&$0) }
            drain()
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.upstream }?.request(demand)
            drain()
        }

        func cancel() {
            let left = downstream.withLock { $0.take() }
            state.withLock { $0.upstream.take() }?.cancel()
            withExtendedLifetime(left) {}
        }

        private func drain() {
            let isBusy = state.withLock { state in
                defer { state.isDelivering = true }
                return state.isDelivering
            }
            if isBusy { return }
            // What comes meanwhile waits: also on a busy machine some of it does.
            for _ in 0..<500 { looks.add(1, ordering: .relaxed) }
            while let step = next() {
                guard let subscriber = downstream.withLock({ $0 }) else { continue }
                switch step {
                case .success(let value):
                    let more = subscriber.receive(value)
                    if more > .none { state.withLock { $0.upstream }?.request(more) }
                case .failure(let end):
                    let left = downstream.withLock { $0.take() }
                    state.withLock { $0.upstream = nil }
                    subscriber.receive(completion: end.completion)
                    withExtendedLifetime(left) {}
                }
            }
        }

        private struct End: Error {
            let completion: Subscribers.Completion<TestFailure>
        }

        private func next() -> Result<Int, End>? {
            state.withLock { state in
                let isOvertaken =
                    switch state.end {
                    case .failure?: overtaking == .failure
                    case .finished?: overtaking == .finish
                    case nil: false
                    }
                if !isOvertaken, !state.values.isEmpty { return .success(state.values.removeFirst()) }
                if let end = state.end.take() {
                    state.values = []
                    return .failure(End(completion: end))
                }
                state.isDelivering = false
                return nil
            }
        }
    }
}

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
                Queued(upstream: $0[0], isFailureFirst: true)
            }.check(cases: 500, seed: 1)
        }
        #expect("\(failure)".contains("failure(\"✕\") of 0, while"))
    }

    @Test("The same operator without that fault holds")
    func holding() throws {
        try RaceProperty<Int>("queued", inputs: 1, model: Self.model) {
            Queued(upstream: $0[0], isFailureFirst: false)
        }.check(cases: 5, seed: 1)
    }
}

/// Delivers what its upstream delivers on whichever thread is at it: that of the upstream, or of a request.
private struct Queued: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: AnyPublisher<Int, TestFailure>
    let isFailureFirst: Bool

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let queue = Queue(AnySubscriber(subscriber), isFailureFirst)
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
        private let isFailureFirst: Bool
        private let looks = Atomic(0)

        init(_ downstream: AnySubscriber<Int, TestFailure>, _ isFailureFirst: Bool) {
            self.downstream = Mutex(downstream)
            self.isFailureFirst = isFailureFirst
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
                let isOvertaken = if isFailureFirst, case .failure? = state.end { true } else { false }
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

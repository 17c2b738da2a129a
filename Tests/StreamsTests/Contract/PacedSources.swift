import Streams
import Synchronization

/// Numbers that are counted as they are made.
struct CountedNumbers: Sequence, IteratorProtocol, Sendable {
    let made: Counter
    var number = 0

    init(_ made: Counter) {
        self.made = made
    }

    mutating func next() -> Int? {
        made.increment()
        defer { number += 1 }
        return number
    }
}

/// A publisher as people write them: its subscription delivers all that is requested before the request returns.
struct HandMadeNumbers: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let made: Counter

    init(_ made: Counter) {
        self.made = made
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: Link(AnySubscriber(subscriber), made))
    }

    private final class Link: Subscription {
        private struct State: Sendable {
            var subscriber: AnySubscriber<Int, Never>?
            var demand = Subscribers.Demand.none
            var number = 0
            var isDelivering = false

            mutating func next() -> (AnySubscriber<Int, Never>, Int)? {
                isDelivering = subscriber != nil && demand > .none
                guard isDelivering, let subscriber else { return nil }
                demand -= 1
                number += 1
                return (subscriber, number - 1)
            }
        }

        private let state: Mutex<State>
        private let made: Counter

        init(_ subscriber: AnySubscriber<Int, Never>, _ made: Counter) {
            state = Mutex(State(subscriber: subscriber))
            self.made = made
        }

        func request(_ demand: Subscribers.Demand) {
            let isFirst = state.withLock { state in
                state.demand += demand
                return !state.isDelivering
            }
            guard isFirst else { return }
            while let (subscriber, number) = state.withLock({ $0.next() }) {
                made.increment()
                let more = subscriber.receive(number)
                state.withLock { $0.demand += more }
            }
        }

        func cancel() {
            let subscriber = state.withLock { $0.subscriber.take() }
            withExtendedLifetime(subscriber) {}
        }
    }
}

/// Another publisher's values, and how often they are requested: what is returned for a value is not counted.
struct CountedRequests<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let requests: Counter

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(
            AnySubscriber(
                receiveSubscription: { subscriber.receive(subscription: Counted(upstream: $0, requests: requests)) },
                receiveValue: { subscriber.receive($0) },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }

    private final class Counted: Subscription {
        private let upstream: any Subscription
        private let requests: Counter

        init(upstream: any Subscription, requests: Counter) {
            self.upstream = upstream
            self.requests = requests
        }

        func request(_ demand: Subscribers.Demand) {
            requests.increment()
            upstream.request(demand)
        }

        func cancel() {
            upstream.cancel()
        }
    }
}

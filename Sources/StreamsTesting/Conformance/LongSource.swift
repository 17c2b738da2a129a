import Streams
import Synchronization

/// A source of many values that delivers them inside the request, and counts those that it has made.
final class LongSource: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    /// So many that nobody who keeps pace with a subscriber of a few makes them all.
    static let length = 5_000
    /// How many values an operator may ask for beyond those that are wanted.
    static let window = 200

    private struct State: Sendable {
        var subscriptions = 0
        var waiting: AnySubscriber<Int, TestFailure>?
    }

    private let produced = Atomic(0)
    private let state = Mutex(State())
    private let failsAtFirst: Bool

    /// - Parameter failsAtFirst: Whether its first subscriber gets nothing but the failure that `fail()` sends.
    init(failsAtFirst: Bool = false) {
        self.failsAtFirst = failsAtFirst
    }

    /// How many values it has made.
    var count: Int { produced.load(ordering: .relaxed) }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let isFirst = state.withLock { state in
            state.subscriptions += 1
            if state.subscriptions == 1, failsAtFirst { state.waiting = AnySubscriber(subscriber) }
            return state.subscriptions == 1
        }
        if isFirst, failsAtFirst { return subscriber.receive(subscription: Subscriptions.empty) }
        Publishers.Sequence(sequence: Numbers(source: self)).receive(subscriber: subscriber)
    }

    private struct Numbers: Sequence, IteratorProtocol, Sendable {
        let source: LongSource
        var made = 0

        mutating func next() -> Int? {
            guard made < LongSource.length else { return nil }
            defer { made += 1 }
            source.produced.add(1, ordering: .relaxed)
            return made
        }
    }

    /// Ends the first subscription with a failure.
    func fail() {
        let waiting = state.withLock { $0.waiting.take() }
        waiting?.receive(completion: .failure(TestFailure()))
    }
}

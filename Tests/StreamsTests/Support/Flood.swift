import Streams

/// Delivers everything at once, whatever was requested: a breach of the contract that must do no harm.
struct Flood: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let count: Int

    private final class Ignorant: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: Ignorant())
        for value in 0..<count { _ = subscriber.receive(value) }
        subscriber.receive(completion: .finished)
    }
}

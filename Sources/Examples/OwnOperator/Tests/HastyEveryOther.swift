import Streams
import Synchronization

/// `everyOther` as one writes it at first: plausible, and wrong.
struct HastyEveryOther<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let count = Atomic(0)
        upstream.receive(
            subscriber: AnySubscriber(
                receiveSubscription: { subscriber.receive(subscription: $0) },
                receiveValue: { value in
                    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
                    return number % 2 == 1 ? subscriber.receive(value) : .none
                },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

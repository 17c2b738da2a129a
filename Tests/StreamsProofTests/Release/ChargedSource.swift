import Streams

/// A source whose subscriptions each hold a charge of their own: whoever lets go of the last reference releases it.
struct ChargedSource: Publisher {
    typealias Output = Charge
    typealias Failure = ChargedError

    let upstream: ChargedOperator.Source
    let charge: @Sendable () -> Charge?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Charge, S.Failure == ChargedError {
        upstream.receive(
            subscriber: AnySubscriber<Charge, ChargedError>(
                receiveSubscription: {
                    subscriber.receive(subscription: ChargedSubscription(upstream: $0, charge: charge()))
                },
                receiveValue: { subscriber.receive($0) },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

private final class ChargedSubscription: Subscription {
    private let upstream: any Subscription
    private let charge: Charge?

    init(upstream: any Subscription, charge: Charge?) {
        self.upstream = upstream
        self.charge = charge
    }

    func request(_ demand: Subscribers.Demand) { upstream.request(demand) }
    func cancel() { upstream.cancel() }
}

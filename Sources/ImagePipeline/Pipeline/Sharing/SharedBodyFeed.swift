import Streams

/// Feeds a shared body.
struct SharedBodyFeed: Subscriber {
    let body: SharedBody

    func receive(subscription: any Subscription) { body.start(subscription) }

    func receive(_ input: DataEvent) -> Subscribers.Demand {
        body.receive(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<LoadError>) { body.receive(completion: completion) }
}

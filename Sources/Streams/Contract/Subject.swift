/// A publisher that delivers what it is sent, from any thread.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers a value to the subscribers. Inside a delivery of the same subject it is delivered after that one; while
    /// another thread delivers, that thread delivers it.
    ///
    /// - Parameter value: The value to deliver.
    func send(_ value: Output)

    /// Ends the stream for all subscribers. The first completion counts; nothing follows it.
    ///
    /// - Parameter completion: The completion to deliver.
    func send(completion: Subscribers.Completion<Failure>)

    /// Takes the subscription of an upstream that the subject relays, and requests everything from it.
    ///
    /// - Parameter subscription: The subscription.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Delivers a void value.
    @inlinable @inline(__always)
    public func send() {
        send(())
    }
}

extension Publisher {
    /// Sends every signal to a subject, including the completion.
    ///
    ///     upstream    1---2---3|
    ///     subject     1---2---3|
    ///
    /// Demand: what the subject asks of its upstreams. Failure and thread are the upstream's. The subject is held until the
    /// end or the cancel; letting go of the result cancels.
    ///
    /// - Parameter subject: The subject that receives every signal.
    @inlinable
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        let slot = UpstreamSlot()
        receive(subscriber: SubjectRelay(subject: subject, slot: slot))
        return AnyCancellable(slot)
    }
}

/// A publisher that delivers what it is sent, from any thread.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers a value to the subscribers. Inside a delivery of the same subject it is delivered after that one; while
    /// another thread delivers, that thread delivers it.
    func send(_ value: Output)

    /// Ends the stream for all subscribers. The first completion counts; nothing follows it.
    func send(completion: Subscribers.Completion<Failure>)

    /// Takes the subscription of an upstream that the subject is to relay, and requests everything from it.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Delivers a void value.
    @inlinable @inline(__always)
    public func send() {
        send(())
    }
}

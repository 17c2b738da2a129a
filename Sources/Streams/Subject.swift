/// A publisher that one sends values into from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to all subscribers that have requested one.
    func send(_ value: Output)
    /// Ends the stream for all subscribers, present and to come.
    func send(completion: Subscribers.Completion<Failure>)
    /// Takes the subscription of a publisher that this subject subscribes to, and requests everything.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a void value.
    @inlinable
    public func send() {
        send(())
    }
}

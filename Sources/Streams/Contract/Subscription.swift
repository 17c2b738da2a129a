/// The link from a subscriber back to its publisher.
///
/// `request` and `cancel` may be called from any thread, inside any signal, at any time; both do nothing after a
/// completion or a cancel. A subscription has an identity, so it is an object.
public protocol Subscription: AnyObject, Cancellable, CustomCombineIdentifierConvertible {
    /// Requests further values. Demand adds up and saturates at `.unlimited`; `.none` changes nothing.
    ///
    /// - Parameter demand: The number of values that are requested.
    func request(_ demand: Subscribers.Demand)
}

/// The namespace of ready-made subscriptions.
public enum Subscriptions {
    /// A subscription that delivers nothing and ignores requests and cancels.
    public static let empty: any Subscription = EmptySubscription()
}

private final class EmptySubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}

/// A publisher that delivers nothing until it is connected, so that all subscribers can subscribe first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts the upstream. A second call while it is connected changes nothing.
    ///
    /// - Returns: A cancellable that disconnects it when it is cancelled, or when it is released.
    func connect() -> any Cancellable
}

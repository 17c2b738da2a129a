/// A subject's end of a subscription, as far as the registry knows it.
///
/// Unchecked only because a class that has a subclass can't be checked: it has nothing but constants.
@usableFromInline
class ConduitBase: @unchecked Sendable {
    @usableFromInline let handle: ConduitHandle

    @inlinable
    init(_ handle: ConduitHandle) {
        self.handle = handle
    }
}

/// A subject's end of a subscription, with the subscriber. Unchecked as its base: nothing but constants.
@usableFromInline
final class Conduit<Output: Sendable, Failure: Error>: ConduitBase, @unchecked Sendable {
    @usableFromInline let subscriber: AnySubscriber<Output, Failure>

    @inlinable
    init(_ handle: ConduitHandle, _ subscriber: AnySubscriber<Output, Failure>) {
        self.subscriber = subscriber
        super.init(handle)
    }

    /// Delivers a value if there is demand; called by the owner of the gate only.
    @inlinable @inline(__always)
    func deliver(_ value: Output) -> Bool {
        switch handle.take() {
        case .none: return false
        case .unlimited: _ = subscriber.receiveValue(value)
        case .counted:
            let more = subscriber.receiveValue(value)
            if more > .none { handle.add(more) }
        }
        return true
    }
}

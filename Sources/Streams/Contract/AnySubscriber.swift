/// A subscriber whose type is hidden behind three closures.
///
/// Closures rather than a class hierarchy: a call through them enters code that is compiled for the types it handles,
/// whereas a generic method behind a vtable costs a hundred times as much.
@frozen
public struct AnySubscriber<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let receiveSubscription: @Sendable (any Subscription) -> Void
    @usableFromInline let receiveValue: @Sendable (Input) -> Subscribers.Demand
    @usableFromInline let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

    /// Hides the type of a subscriber.
    ///
    /// - Parameter subscriber: The subscriber whose type to hide.
    @inlinable @inline(__always)
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if let erased = subscriber as? AnySubscriber {
            self = erased
            return
        }
        let box = SubscriberBox(subscriber)
        // Not through the other initialiser: its optional closures cost two thunks a call.
        receiveSubscription = { box.subscriber.receive(subscription: $0) }
        receiveValue = { box.subscriber.receive($0) }
        receiveCompletion = { box.subscriber.receive(completion: $0) }
    }

    /// Creates a subscriber that sends every signal to a subject, including the completion.
    ///
    /// - Parameter subject: The subject that receives every signal.
    @inlinable
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        self.init(SubjectRelay(subject: subject, slot: UpstreamSlot()))
    }

    /// Creates a subscriber from closures. What is left out does nothing and requests nothing.
    ///
    /// - Parameters:
    ///   - receiveSubscription: A closure that is called with the subscription; nil to request nothing.
    ///   - receiveValue: A closure that is called with each value, and returns further demand; nil to request nothing
    ///     more.
    ///   - receiveCompletion: A closure that is called with the completion; nil to ignore it.
    @preconcurrency
    @inlinable
    public init(
        receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
        receiveValue: (@Sendable (Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        self.receiveSubscription = receiveSubscription ?? { _ in }
        self.receiveValue = receiveValue ?? { _ in .none }
        self.receiveCompletion = receiveCompletion ?? { _ in }
    }

    @inlinable @inline(__always)
    public func receive(subscription: any Subscription) {
        receiveSubscription(subscription)
    }

    @inlinable @inline(__always)
    public func receive(_ input: Input) -> Subscribers.Demand {
        receiveValue(input)
    }

    @inlinable @inline(__always)
    public func receive(completion: Subscribers.Completion<Failure>) {
        receiveCompletion(completion)
    }
}

/// One reference for three closures to share: a closure over a single object needs no context of its own.
@usableFromInline
final class SubscriberBox<S: Subscriber>: Sendable {
    @usableFromInline let subscriber: S

    @inlinable @inline(__always)
    init(_ subscriber: S) {
        self.subscriber = subscriber
    }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    public var description: String { "AnySubscriber" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    public var playgroundDescription: Any { description }
}

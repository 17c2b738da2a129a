/// A property whose changes are published: `$name` is a publisher that delivers the present value, then each new one.
///
///     @Published var count = 0
///     $count.sink { print($0) }   // 0, then what is set
///
/// Values are delivered after they have been set, on the thread that sets them.
///
/// Properties of an ``ObservableObject`` tell it, before they change.
@propertyWrapper
public struct Published<Value: Sendable>: Sendable {
    private var subject: CurrentValueSubject<Value, Never>
    let owner = OwnerSlot()

    /// Creates a published property from the value that its declaration assigns.
    ///
    /// - Parameter wrappedValue: The first value.
    public init(wrappedValue: Value) {
        subject = CurrentValueSubject(wrappedValue)
    }

    /// Creates a published property with a first value.
    ///
    /// - Parameter initialValue: The first value.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// The current value.
    public var wrappedValue: Value {
        get { subject.value }
        nonmutating set {
            owner.publisher?.send()
            subject.send(newValue)
        }
    }

    /// A publisher that delivers the current value, then each new one; it never ends. Set to that of another property, it
    /// begins anew with the value of that one, and goes its own way from then on.
    public var projectedValue: Publisher {
        get { Publisher(subject: subject, owner: owner) }
        set { if newValue.subject !== subject { subject = CurrentValueSubject(newValue.subject.value) } }
    }

    /// Delivers a property's value, then each new one.
    ///
    /// Demand: a subscriber that has requested none misses values, and gets the newest one when it requests. Never fails.
    public struct Publisher: Streams.Publisher {
        public typealias Output = Value
        public typealias Failure = Never

        @usableFromInline let subject: CurrentValueSubject<Value, Never>
        let owner: OwnerSlot

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            subject.receive(subscriber: subscriber)
        }
    }
}

extension Publisher where Failure == Never {
    /// Sets a published property to each value, on the thread that delivers it, and requests everything.
    ///
    ///     loader.titles.assign(to: &model.$title)
    ///
    /// The assignment continues until the publisher ends or the property is released, which it does not retain. The end of the
    /// publisher does not end the property's.
    ///
    /// - Parameter published: The publisher of the property.
    public func assign(to published: inout Published<Output>.Publisher) {
        let slot = UpstreamSlot()
        receive(subscriber: AssignedSubscriber(subject: published.subject, owner: published.owner, slot: slot))
        // Requests everything, and cancels with the property.
        published.subject.send(subscription: slot)
    }
}

/// The subscriber of `assign(to:)`, which leaves the request to the property's subject.
private struct AssignedSubscriber<Value: Sendable>: Subscriber {
    weak let subject: CurrentValueSubject<Value, Never>?
    let owner: OwnerSlot
    let slot: UpstreamSlot

    func receive(subscription: any Subscription) {
        _ = slot.receive(subscription)
    }

    func receive(_ input: Value) -> Subscribers.Demand {
        if !slot.isDone, let subject {
            owner.publisher?.send()
            subject.send(input)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
        _ = slot.finish()
    }
}

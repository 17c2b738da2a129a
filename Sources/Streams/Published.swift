/// A property whose changes are published: `$name` is a publisher that delivers the present value, then each new one.
///
///     @Published var count = 0
///     $count.sink { print($0) }   // 0, then what is set
///
/// Values are delivered after they have been set, on the thread that sets them.
@propertyWrapper
public struct Published<Value: Sendable>: Sendable {
    private let subject: CurrentValueSubject<Value, Never>

    public init(wrappedValue: Value) {
        subject = CurrentValueSubject(wrappedValue)
    }

    /// The present value.
    public var wrappedValue: Value {
        get { subject.value }
        nonmutating set { subject.send(newValue) }
    }

    /// Delivers the present value, then each new one; it never ends.
    public var projectedValue: Publisher {
        Publisher(subject: subject)
    }

    /// Delivers a property's value, then each new one.
    ///
    /// Demand: a subscriber that has requested none misses values, and gets the newest one when it requests. Fails never.
    public struct Publisher: Streams.Publisher {
        public typealias Output = Value
        public typealias Failure = Never

        let subject: CurrentValueSubject<Value, Never>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            subject.receive(subscriber: subscriber)
        }
    }
}

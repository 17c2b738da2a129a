import Synchronization

extension Subscribers {
    /// A subscriber that calls closures, and requests everything: `sink` as an object.
    ///
    /// The closures are released at the end or on a cancel.
    public final class Sink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
        private struct Closures: Sendable {
            let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
            let receiveValue: @Sendable (Input) -> Void
        }

        private let slot = UpstreamSlot()
        private let closures: Mutex<Closures?>

        /// Creates a subscriber from closures.
        ///
        /// - Parameters:
        ///   - receiveCompletion: A closure that is called with the completion.
        ///   - receiveValue: A closure that is called with each value.
        @preconcurrency
        public init(
            receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping @Sendable (Input) -> Void
        ) {
            closures = Mutex(Closures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
        }

        public func receive(subscription: any Subscription) {
            if slot.receive(subscription) { subscription.request(.unlimited) }
        }

        public func receive(_ input: Input) -> Subscribers.Demand {
            if !slot.isDone { closures.withLock { $0 }?.receiveValue(input) }
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            if slot.finish() { take()?.receiveCompletion(completion) }
        }

        public func cancel() {
            slot.cancel()
            _ = take()
        }

        private func take() -> Closures? {
            closures.withLock { $0.take() }
        }
    }

    /// A subscriber that sets a property of an object to each value, and requests everything: `assign` as an object.
    ///
    /// The object is released at the end or on a cancel.
    public final class Assign<Root: Sendable, Input: Sendable>: Subscriber, Cancellable {
        public typealias Failure = Never

        private let sink: Sink<Input, Never>

        /// Creates a subscriber that sets a property.
        ///
        /// - Parameters:
        ///   - object: The object whose property is set.
        ///   - keyPath: The property.
        public init(object: Root, keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable) {
            sink = Sink(receiveCompletion: { _ in }, receiveValue: { object[keyPath: keyPath] = $0 })
        }

        public func receive(subscription: any Subscription) { sink.receive(subscription: subscription) }
        public func receive(_ input: Input) -> Subscribers.Demand { sink.receive(input) }
        public func receive(completion: Subscribers.Completion<Never>) { sink.receive(completion: completion) }
        public func cancel() { sink.cancel() }
    }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    public var description: String { "Sink" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    public var playgroundDescription: Any { description }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    public var description: String { "Assign" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    public var playgroundDescription: Any { description }
}

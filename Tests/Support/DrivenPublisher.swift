import Streams
import Synchronization

/// A publisher that a test drives by hand, and that tells when there is demand.
///
/// A subject drops what comes between the subscription and the first request; where another thread subscribes, a test
/// can wait until `isRequested` instead, after which what it sends is delivered at once.
package final class DrivenPublisher<Output: Sendable, Failure: Error>: Publisher {
    private let emitters = Mutex<[Emitter<Output, Failure>]>([])

    package init() {}

    /// A Boolean value that indicates whether the newest subscriber has requested a value and not got it.
    package var isRequested: Bool { emitters.withLock { $0.last }.map { $0.requested > .none } ?? false }

    package func send(_ value: Output) {
        for emitter in emitters.withLock({ $0 }) { emitter.send(value) }
    }

    package func send(completion: Subscribers.Completion<Failure>) {
        for emitter in emitters.withLock({ $0 }) { emitter.send(completion: completion) }
    }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        Publishers.Create<Output, Failure> { emitter in
            self.emitters.withLock { $0.append(emitter) }
            return AnyCancellable {}
        }.receive(subscriber: subscriber)
    }
}

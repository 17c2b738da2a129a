import Streams
import Synchronization

extension Publisher {
    /// Delivers every other value, the first one included.
    ///
    ///     upstream        1---2---3---4|
    ///     everyOther()    1-------3----|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure and thread are the upstream's.
    public func everyOther() -> EveryOther<Self> {
        EveryOther(upstream: self)
    }
}

/// Delivers every other value.
public struct EveryOther<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let upstream: Upstream

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.receive(subscriber: Inner(downstream: subscriber))
    }

    private final class Inner<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
        private let downstream: Downstream
        private let isWanted = Mutex(false)

        init(downstream: Downstream) {
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            downstream.receive(subscription: subscription)
        }

        func receive(_ input: Output) -> Subscribers.Demand {
            let isWanted = isWanted.withLock { isWanted in
                isWanted.toggle()
                return isWanted
            }
            // One more for each that is left out: whoever waits for a value has asked for one only.
            return isWanted ? downstream.receive(input) : .max(1)
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            downstream.receive(completion: completion)
        }
    }
}

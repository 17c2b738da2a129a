import OpenCombine
import Streams

// OpenCombine's operators between our test publishers and our recording subscriber.
//
// Unchecked because OpenCombine declares none of its types Sendable, and Streams asks for it. They hold as each check runs on the
// one thread of a process of its own: the conformance kit and its interleavings start none.

/// Ours, as OpenCombine sees it.
struct Ours<Base: Streams.Publisher>: OpenCombine.Publisher {
    typealias Output = Base.Output
    typealias Failure = Base.Failure

    let base: Base

    func receive<S: OpenCombine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: OursToPeer(downstream: subscriber))
    }
}

private struct OursToPeer<Downstream: OpenCombine.Subscriber>: Streams.Subscriber, @unchecked Sendable
where Downstream.Input: Sendable {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let downstream: Downstream

    func receive(subscription: any Streams.Subscription) {
        downstream.receive(subscription: PeerSubscription(base: subscription))
    }

    func receive(_ input: Input) -> Streams.Subscribers.Demand {
        Streams.Subscribers.Demand(downstream.receive(input))
    }

    func receive(completion: Streams.Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: downstream.receive(completion: .finished)
        case .failure(let failure): downstream.receive(completion: .failure(failure))
        }
    }
}

private final class PeerSubscription: OpenCombine.Subscription {
    let base: any Streams.Subscription

    init(base: any Streams.Subscription) { self.base = base }
    func request(_ demand: OpenCombine.Subscribers.Demand) { base.request(.init(demand)) }
    func cancel() { base.cancel() }
}

/// OpenCombine's, as ours.
struct Peer<Base: OpenCombine.Publisher>: Streams.Publisher, @unchecked Sendable where Base.Output: Sendable {
    typealias Output = Base.Output
    typealias Failure = Base.Failure

    let base: Base

    func receive<S: Streams.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: PeerToOurs(downstream: subscriber))
    }
}

private final class PeerToOurs<Downstream: Streams.Subscriber>: OpenCombine.Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let downstream: Downstream

    init(downstream: Downstream) { self.downstream = downstream }

    func receive(subscription: any OpenCombine.Subscription) {
        // What an operator only hands on stays the same object: then it is not answerable for what that does.
        let bridged = (subscription as? PeerSubscription)?.base
        downstream.receive(subscription: bridged ?? OurSubscription(base: subscription))
    }

    func receive(_ input: Input) -> OpenCombine.Subscribers.Demand {
        let demand = downstream.receive(input)
        return demand == .unlimited ? .unlimited : .max(demand.max ?? 0)
    }

    func receive(completion: OpenCombine.Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: downstream.receive(completion: .finished)
        case .failure(let failure): downstream.receive(completion: .failure(failure))
        }
    }
}

private final class OurSubscription: Streams.Subscription, @unchecked Sendable {
    let base: any OpenCombine.Subscription

    init(base: any OpenCombine.Subscription) { self.base = base }

    func request(_ demand: Streams.Subscribers.Demand) {
        // OpenCombine traps on a request for nothing, and on demand beyond half of the integers.
        guard demand > .none else { return }
        base.request(demand == .unlimited ? .unlimited : .max(min(demand.max ?? 0, 1 << 32)))
    }

    func cancel() { base.cancel() }
}

extension Streams.Subscribers.Demand {
    init(_ demand: OpenCombine.Subscribers.Demand) {
        self = demand.max.map { .max($0) } ?? .unlimited
    }
}

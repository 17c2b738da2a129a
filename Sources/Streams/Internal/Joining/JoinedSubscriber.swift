import Synchronization

/// The subscriber of one of several upstreams that are joined: leaves its signals in a channel, and has the join look.
///
/// `Rule` says whether it matters in which order the signals of several upstreams have come: to `zip` it does not.
@frozen @usableFromInline
struct JoinedSubscriber<Input: Sendable, Failure: Error, Rule: Joins.Rule>: Subscriber {
    @usableFromInline let channel: SignalChannel<Input, Failure>
    @usableFromInline let slot: UpstreamSlot
    @usableFromInline let join: DrainedSubscription
    /// What is requested at once.
    @usableFromInline let demand: Subscribers.Demand

    @inlinable @inline(__always)
    init(
        _ channel: SignalChannel<Input, Failure>, slot: UpstreamSlot, join: DrainedSubscription,
        by rule: Rule.Type, demand: Subscribers.Demand = .none
    ) {
        self.channel = channel
        self.slot = slot
        self.join = join
        self.demand = demand
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        guard slot.receive(subscription) else { return }
        if let slot = slot as? PacedSlot { slot.begin(with: subscription, of: join) }
        if demand > .none { subscription.request(demand) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        guard slot.admitsValue() else { return .none }
        if Rule.waitsForAll {
            channel.append(input)
            join.signalInAnyOrder()
        } else {
            join.signal { channel.append(input, turn: $0) }
        }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        guard slot.finish() else { return }
        if case .failure = completion, join.failsAsOne { join.cancelUpstreams() }
        join.signal { turn in
            channel.finish(completion, turn: turn)
            join.hasEnding.store(true, ordering: .releasing)
        }
    }
}

extension DrainedSubscription {
    /// Subscribes to an upstream of a join, unless that has ended or was cancelled before.
    @inlinable @inline(__always)
    func start<Upstream: Publisher, Rule: Joins.Rule>(
        _ upstream: Upstream, _ channel: SignalChannel<Upstream.Output, Upstream.Failure>, _ slot: UpstreamSlot,
        by rule: Rule.Type = Joins.Latest.self, demand: Subscribers.Demand = .none
    ) {
        if slot.isDone { return }
        upstream.receive(subscriber: JoinedSubscriber(channel, slot: slot, join: self, by: rule, demand: demand))
        if let slot = slot as? PacedSlot { slot.attached(to: self) }
    }

    /// The same for the first of them. Whoever makes the subscription lets go of it then by beginning: that also releases
    /// what it holds, if it is over by then.
    @inlinable @inline(__always)
    func startFirst<Upstream: Publisher, Rule: Joins.Rule>(
        _ upstream: Upstream, _ channel: SignalChannel<Upstream.Output, Upstream.Failure>, _ slot: UpstreamSlot,
        by rule: Rule.Type = Joins.Latest.self, demand: Subscribers.Demand = .none
    ) {
        start(upstream, channel, slot, by: rule, demand: demand)
        begin()
    }
}

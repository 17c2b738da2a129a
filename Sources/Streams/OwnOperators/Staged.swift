extension Publisher {
    /// Passes each value through a stage, the logic of an operator.
    ///
    ///     upstream               1---2---3---4|
    ///     stage(EveryOther())    1-------3----|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure: the upstream's, or the stage's, which
    /// cancels the upstream. Thread: the upstream's.
    ///
    /// - Parameter logic: The logic of the operator.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func stage<Logic: Stage>(_ logic: Logic) -> Publishers.Staged<Self, Logic>
    where Logic.Input == Output, Logic.UpstreamFailure == Failure {
        Publishers.Staged(upstream: self, logic: logic)
    }
}

extension Publishers {
    /// Passes each value through a stage. Most operators that make one value or none of each are this type.
    @frozen
    public struct Staged<Upstream: Publisher, Logic: Stage>: DeliveringAsStage
    where Logic.Input == Upstream.Output, Logic.UpstreamFailure == Upstream.Failure {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The stage that each value passes through.
        public let logic: Logic

        /// Creates a publisher that passes each value through a stage.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - logic: The stage that each value passes through.
        @inlinable @inline(__always)
        public init(upstream: Upstream, logic: Logic) {
            self.upstream = upstream
            self.logic = logic
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Logic.Output, S.Failure == Logic.Failure {
            upstream.receive(subscriber: StagedSubscriber(downstream: subscriber, logic: logic))
        }
    }
}

/// The subscriber of a stage.
@frozen @usableFromInline
struct StagedSubscriber<Logic: Stage, Downstream: Subscriber>: Subscriber
where Downstream.Input == Logic.Output, Downstream.Failure == Logic.Failure {
    @usableFromInline typealias Input = Logic.Input
    @usableFromInline typealias Failure = Logic.UpstreamFailure

    @usableFromInline let downstream: Downstream
    @usableFromInline let logic: Logic
    // One reference and not two: about ten words is what the optimiser keeps in registers along a chain.
    @usableFromInline let cell: Serial<(state: Logic.State, slot: UpstreamSlot?)>

    @inlinable @inline(__always)
    init(downstream: Downstream, logic: Logic) {
        self.downstream = downstream
        self.logic = logic
        cell = Serial((logic.makeState(), Logic.endsEarly ? UpstreamSlot() : nil))
    }

    /// Only where the stage may end before the upstream.
    @inlinable @inline(__always)
    var slot: UpstreamSlot? { cell.value.slot }

    @inlinable @inline(never)
    func receive(subscription: any Subscription) {
        guard Logic.endsEarly, let slot else { return downstream.receive(subscription: subscription) }
        guard slot.receive(subscription) else { return }
        downstream.receive(subscription: slot)
        if logic.isOver(cell.value.state) { end(.finished) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if Logic.endsEarly, let slot, slot.isDone { return .none }
        switch logic.receive(input, &cell.value.state) {
        case .next(let output): return downstream.receive(output)
        case .skip: return .max(1)
        case .last(let output): end(with: output)
        case .finish: end(.finished)
        case .fail(let failure): end(.failure(failure))
        }
        return .none
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Failure>) {
        if Logic.endsEarly, let slot, !slot.finish() { return }
        downstream.receive(completion: completion.mapFailure(logic.failure))
    }

    /// Outlined, as all that comes once: a second copy of the downstream's code here is one of its downstream's as well, and so on.
    @inlinable @inline(never)
    func end(with output: Downstream.Input) {
        _ = downstream.receive(output)
        end(.finished)
    }

    @inlinable @inline(never)
    func end(_ completion: Subscribers.Completion<Logic.Failure>) {
        if let slot, slot.cancelFirst() { downstream.receive(completion: completion) }
    }
}

extension Publishers.Staged: Equatable where Upstream: Equatable, Logic: Equatable {}

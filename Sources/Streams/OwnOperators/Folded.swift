extension Publisher {
    /// Makes one result of all values, by the logic of a fold.
    ///
    ///     upstream       1---2---3|
    ///     fold(Sum())    ---------6|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once,
    /// or the fold's, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after the end.
    ///
    /// - Parameter logic: The logic of the operator.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func fold<Logic: Fold>(_ logic: Logic) -> Publishers.Folded<Self, Logic>
    where Logic.Input == Output, Logic.UpstreamFailure == Failure {
        Publishers.Folded(upstream: self, logic: logic)
    }
}

extension Publishers {
    /// Makes one result of all values. Most operators that do so are this type.
    @frozen
    public struct Folded<Upstream: Publisher, Logic: Fold>: DeliveringAsFold
    where Logic.Input == Upstream.Output, Logic.UpstreamFailure == Upstream.Failure {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The fold that makes the result.
        public let logic: Logic

        /// Creates a publisher that makes one result of all values.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - logic: The fold that makes the result.
        @inlinable @inline(__always)
        public init(upstream: Upstream, logic: Logic) {
            self.upstream = upstream
            self.logic = logic
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Logic.Output, S.Failure == Logic.Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(__always)
        func attach(_ subscriber: AnySubscriber<Logic.Output, Logic.Failure>) {
            upstream.receive(subscriber: FoldedSubscriber(downstream: subscriber, logic: logic))
        }
    }
}

/// The subscriber of a fold.
@frozen @usableFromInline
struct FoldedSubscriber<Logic: Fold>: Subscriber {
    @usableFromInline typealias Input = Logic.Input
    @usableFromInline typealias Failure = Logic.UpstreamFailure
    @usableFromInline typealias Downstream = AnySubscriber<Logic.Output, Logic.Failure>

    @usableFromInline let logic: Logic
    // One reference and not two: about ten words is what the optimiser keeps in registers along a chain.
    @usableFromInline let cell: Serial<(state: Logic.State, final: FinalValue<Logic.Output, Downstream>)>

    @inlinable @inline(__always)
    init(downstream: Downstream, logic: Logic) {
        self.logic = logic
        cell = Serial((logic.makeState(), FinalValue(downstream: downstream)))
    }

    @inlinable @inline(__always)
    var final: FinalValue<Logic.Output, Downstream> { cell.value.final }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        guard final.upstream.receive(subscription) else { return }
        final.start()
        subscription.request(.unlimited)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        guard Logic.endsEarly else {
            _ = logic.receive(input, &cell.value.state)
            return .none
        }
        if final.upstream.isDone { return .none }
        switch logic.receive(input, &cell.value.state) {
        case .more: break
        case .done: final.finish(with: logic.result(cell.value.state), cancelling: true)
        case .fail(let failure): final.fail(failure, cancelling: true)
        }
        return .none
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: final.finish(with: logic.result(cell.value.state), cancelling: false)
        case .failure(let failure): final.fail(logic.failure(failure), cancelling: false)
        }
    }
}

extension Publishers.Folded: Equatable where Upstream: Equatable, Logic: Equatable {}

import Synchronization

extension DrainedSubscription {
    /// Delivers what a rule makes of several upstreams' values.
    @inlinable @inline(__always)
    func join<Rule: Joins.Rule, Inputs: JoinedRow, Downstream: Subscriber>(
        by rule: Rule.Type, _ inputs: Inputs, to downstream: Downstream
    ) where Downstream.Input == Inputs.Row, Downstream.Failure == Inputs.Failure {
        if Rule.waitsForAll { zip(inputs, to: downstream) } else { combineLatest(inputs, to: downstream) }
    }

    /// Delivers the first values of all together, then the second ones, and so on.
    @inlinable @inline(__always)
    func zip<Inputs: JoinedRow, Downstream: Subscriber>(_ inputs: Inputs, to downstream: Downstream)
    where Downstream.Input == Inputs.Row, Downstream.Failure == Inputs.Failure {
        let taken = Serial(0)
        deliver { join in
            var delivered = 0
            // Looks once more after whatever may run a user's code: `signalInAnyOrder()` relies on it.
            while true {
                let hasEnding = join.hasEnding.load(ordering: .acquiring)
                // First, so that what came and was requested before a failure is seen with it.
                let failure = hasEnding ? inputs.failure : nil
                // One look for both: demand that comes after it has the gate looked at again.
                let word = join.gate.word.load(ordering: .acquiring)
                if word & DemandGate.closed != 0 { return delivered }
                let areReady = inputs.areReady
                guard areReady, DemandGate.hasDemand(in: word, beyond: delivered) else {
                    guard hasEnding else { return delivered }
                    // Nothing that fails later changes that; nothing that finishes later than a failure is noted.
                    if !areReady, inputs.isAnyFinished {
                        return join.end { downstream.receive(completion: .finished) }
                    }
                    guard let failure else { return delivered }
                    return join.end { downstream.receive(completion: .failure(failure)) }
                }
                delivered &+= 1
                let more = downstream.receive(inputs.takeFirst())
                if more.count != 0 { join.request(more) }
                taken.value &+= 1
                if taken.value == PacedSlot.usualWindow / 2 {
                    taken.value = 0
                    join.replenish(PacedSlot.usualWindow / 2)
                }
            }
            return delivered
        }
    }

    /// Asks the upstreams of a zip for more, in the place of what was taken.
    @usableFromInline
    func replenish(_ count: Int) {
        for case let slot as PacedSlot in upstreams.prefix(demanded) { slot.replenish(count) }
    }

    /// How far the latest values of several have come.
    @usableFromInline
    enum LatestProgress {
        /// One has not had a value yet.
        case incomplete
        /// The latest ones have been delivered.
        case idle
        /// Those that are there have yet to be.
        case pending
    }

    /// Delivers the latest values of all together, whenever one has a newer one. Without demand only the latest is kept.
    @inlinable @inline(__always)
    func combineLatest<Inputs: JoinedRow, Downstream: Subscriber>(_ inputs: Inputs, to downstream: Downstream)
    where Downstream.Input == Inputs.Row, Downstream.Failure == Inputs.Failure {
        let progress = Serial(LatestProgress.incomplete)
        deliver { join in
            var delivered = 0
            while !join.gate.isClosed {
                let hasEnding = join.hasEnding.load(ordering: .acquiring)
                let failure = hasEnding ? inputs.failure : nil
                let isNew = inputs.takeAny()
                // Looked at first: who watches what is thrown, as tests do, takes a while for each.
                if isNew, progress.value != .incomplete || inputs.areAllThere { progress.value = .pending }
                if progress.value == .pending, join.gate.demand > delivered, let row = try? inputs.latest() {
                    progress.value = .idle
                    delivered += 1
                    let more = downstream.receive(row)
                    if more.count != 0 { join.request(more) }
                } else if !isNew {
                    guard hasEnding else { return delivered }
                    // The values that are pending for want of demand are still to come, unless one fails.
                    if progress.value != .pending, inputs.areAllFinished || inputs.isAnyMute {
                        return join.end { downstream.receive(completion: .finished) }
                    }
                    guard let failure else { return delivered }
                    return join.end { downstream.receive(completion: .failure(failure)) }
                }
            }
            return delivered
        }
    }

    /// What another upstream's signals have to say before a value is passed on.
    @usableFromInline
    enum Passage<Failure: Error> {
        /// The first value may go, if there is one.
        case pass
        /// Whatever has come since is not to go before this is asked again.
        case wait
        /// Something is to be done first, outside of a delivery.
        case errand(() -> Void)
        case end(Subscribers.Completion<Failure>)
    }

    /// Passes values on, with an eye on something else before each.
    @inlinable @inline(__always)
    func pass<Value: Sendable, Downstream: Subscriber>(
        _ values: SignalChannel<Value, Downstream.Failure>, to downstream: Downstream,
        looking look: @escaping (DrainedSubscription) -> Passage<Downstream.Failure>
    ) where Downstream.Input == Value {
        deliver { join in
            var delivered = 0
            while !join.gate.isClosed {
                var mayPass = true
                switch look(join) {
                case .pass: break
                case .wait: mayPass = false
                case .errand(let errand):
                    join.leave(errand)
                    return delivered
                case .end(let completion): return join.end { downstream.receive(completion: completion) }
                }
                // Looking may have cancelled an upstream, and who is behind that cancelled this.
                if join.gate.isClosed { return delivered }
                guard values.hasValue else {
                    guard values.isExhausted else { return delivered }
                    return join.end { downstream.receive(completion: values.completion) }
                }
                guard mayPass, join.gate.demand > delivered, let value = values.popFirst() else { return delivered }
                delivered += 1
                let more = downstream.receive(value)
                if more.count != 0 { join.request(more) }
            }
            return delivered
        }
    }
}

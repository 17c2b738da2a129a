import Streams
import StreamsTesting
import Synchronization

/// The faults of an operator: one for each rule of the contract.
enum Fault: CaseIterable, Sendable {
    case deliversFirst, ignoresDemand, deliversUnasked, forgetsDemand, overflows, completesTwice, outlivesItsEnd
    case holdsBackFinish, holdsBackFailure, passesLateValues, takesSecondSubscription, losesInnerRequests
    case recurses, callsItself, cancelsTwice, goesOnAfterCancel, requestsAfterCancel, keepsSubscriber
    case keepsSubscription, endsBeforeCancelling, overlaps
    case subscribesAfterCancel, flushesAtEnd, finishesAfterCancel
    // What every one of them does.
    case runsSourcesDry, asksForEverything

    /// The rule that it breaks.
    var rule: ConformanceRule {
        switch self {
        case .deliversFirst: .subscriptionComesFirst
        case .ignoresDemand: .demandIsHonoured
        case .deliversUnasked: .nothingWithoutDemand
        case .forgetsDemand: .demandAddsUp
        case .overflows: .demandSaturates
        case .completesTwice: .oneCompletion
        case .outlivesItsEnd: .completionEndsAll
        case .holdsBackFinish: .completionNeedsNoDemand
        case .holdsBackFailure: .failureNeedsNoDemand
        case .passesLateValues: .lateValueIsDropped
        case .takesSecondSubscription: .secondSubscriptionIsCancelled
        case .losesInnerRequests: .requestInsideSignals
        case .recurses, .callsItself: .boundedRecursion
        case .cancelsTwice: .cancelReachesUpstreamOnce
        case .goesOnAfterCancel: .cancelInsideValue
        case .requestsAfterCancel: .requestAfterCancel
        case .keepsSubscriber: .subscriberIsReleased
        case .keepsSubscription: .subscriptionIsReleased
        case .endsBeforeCancelling: .earlyEndCancelsUpstream
        case .overlaps: .signalsAreSerial
        case .subscribesAfterCancel: .cancelInsideSubscription
        case .runsSourcesDry: .keepsPace
        case .asksForEverything: .asksForNoMore
        case .flushesAtEnd: .demandIsHonoured
        case .finishesAfterCancel: .requestAfterCancel
        }
    }
}

/// An operator that passes values on one by one, with one fault. It has a subscription of its own, queues what is not
/// requested, and delivers in a loop.
struct Faulty: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let fault: Fault
    let upstreams: [AnyPublisher<Int, TestFailure>]

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
        let core = FaultyCore(AnySubscriber(subscriber), fault, inputs: upstreams.count)
        if fault == .deliversFirst { _ = subscriber.receive(-1) }
        subscriber.receive(subscription: core)
        if fault == .keepsSubscriber { FaultyCore.kept.withLock { $0.append(AnySubscriber(subscriber)) } }
        if fault == .keepsSubscription { FaultyCore.keptCores.withLock { $0.append(core) } }
        if core.isCancelled, fault != .subscribesAfterCancel { return }
        for upstream in upstreams { upstream.receive(subscriber: FaultyInner(core: core)) }
    }
}

private struct FaultyInner: Subscriber {
    let core: FaultyCore

    func receive(subscription: any Subscription) { core.receive(subscription) }
    func receive(_ input: Int) -> Subscribers.Demand {
        core.receive(input)
        return .none
    }
    func receive(completion: Subscribers.Completion<TestFailure>) { core.receive(completion) }
}

private final class FaultyCore: Subscription {
    static let kept = Mutex<[AnySubscriber<Int, TestFailure>]>([])
    static let keptCores = Mutex<[FaultyCore]>([])

    private struct State: Sendable {
        var downstream: AnySubscriber<Int, TestFailure>?
        var gone: AnySubscriber<Int, TestFailure>?
        var upstreams: [any Subscription] = []
        var values: [Int] = []
        var completion: Subscribers.Completion<TestFailure>?
        var demand = Subscribers.Demand.none
        var isDraining = false
        var isCancelled = false
        var delivered = 0
    }

    private let state: Mutex<State>
    private let fault: Fault
    private let inputs: Int

    init(_ downstream: AnySubscriber<Int, TestFailure>, _ fault: Fault, inputs: Int) {
        state = Mutex(State(downstream: downstream, gone: downstream))
        self.fault = fault
        self.inputs = inputs
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func receive(_ subscription: any Subscription) {
        let isWelcome = state.withLock { state in
            guard state.upstreams.count < inputs, !state.isCancelled else { return false }
            state.upstreams.append(subscription)
            return true
        }
        if isWelcome {
            subscription.request(.unlimited)
        } else if fault != .takesSecondSubscription {
            subscription.cancel()
        }
    }

    func receive(_ value: Int) {
        if fault == .passesLateValues, let gone = state.withLock({ $0.isCancelled ? $0.gone : nil }) {
            _ = gone.receive(value)
            return
        }
        if fault == .overlaps || fault == .deliversUnasked && state.withLock({ $0.demand == .none }) {
            _ = state.withLock { $0.downstream }?.receive(value)
            return
        }
        state.withLock { $0.values.append(value) }
        drain()
    }

    func receive(_ completion: Subscribers.Completion<TestFailure>) {
        state.withLock { $0.completion = $0.completion ?? completion }
        drain()
    }

    func request(_ demand: Subscribers.Demand) {
        let isForgotten = state.withLock { state in
            if fault == .requestsAfterCancel, state.isCancelled { return false }
            if fault == .finishesAfterCancel, state.isCancelled { return true }
            switch fault {
            case .forgetsDemand where state.demand > .none && state.delivered == 0: return true
            case .losesInnerRequests where state.isDraining: return true
            case .overflows where state.demand > .max(1 << 40): state.demand = .none
            default: state.demand += demand
            }
            return false
        }
        if isForgotten {
            if fault == .finishesAfterCancel { state.withLock { $0.gone.take() }?.receive(completion: .finished) }
            return
        }
        if fault == .requestsAfterCancel || fault == .outlivesItsEnd {
            let (upstreams, isOver) = state.withLock { ($0.upstreams, $0.isCancelled || $0.downstream == nil) }
            if isOver { for upstream in upstreams { upstream.request(demand) } }
        }
        switch fault {
        case .recurses: deliverOne()
        case .callsItself: deliverInTurn()
        default: drain()
        }
    }

    func cancel() {
        let (upstreams, wasCancelled, isOver) = state.withLock { state in
            defer {
                state.isCancelled = true
                if fault != .goesOnAfterCancel { state.downstream = nil }
                if fault != .passesLateValues, fault != .finishesAfterCancel { state.gone = nil }
            }
            return (state.upstreams, state.isCancelled, state.downstream == nil)
        }
        if isOver, fault != .cancelsTwice, fault != .outlivesItsEnd || wasCancelled { return }
        for upstream in upstreams { upstream.cancel() }
    }

    /// As an operator without a loop does it: each request from inside a value delivers inside it.
    private func deliverOne() {
        let next = state.withLock { state -> (AnySubscriber<Int, TestFailure>, Int)? in
            guard let downstream = state.downstream, !state.values.isEmpty, state.demand > .none else { return nil }
            state.demand -= 1
            return (downstream, state.values.removeFirst())
        }
        guard let (downstream, value) = next else { return drain() }
        let more = downstream.receive(value)
        if more > .none { request(more) }
    }

    /// One value after the other, and yet deeper and deeper.
    private func deliverInTurn() {
        let next = state.withLock { state -> (AnySubscriber<Int, TestFailure>, Int)? in
            guard let downstream = state.downstream, !state.isDraining, !state.values.isEmpty, state.demand > .none
            else { return nil }
            state.demand -= 1
            state.isDraining = true
            return (downstream, state.values.removeFirst())
        }
        guard let (downstream, value) = next else { return drain() }
        let more = downstream.receive(value)
        state.withLock { state in
            state.isDraining = false
            state.demand += more
        }
        deliverInTurn()
        // Something is left to do: a call at the end would be none.
        withExtendedLifetime(downstream) {}
    }

    private func drain() {
        while true {
            let step = state.withLock { state -> (AnySubscriber<Int, TestFailure>, Int?)? in
                guard let downstream = state.downstream, !state.isDraining else { return nil }
                let isExempt =
                    fault == .ignoresDemand && state.delivered > 0 || fault == .flushesAtEnd && state.completion != nil
                if !state.values.isEmpty, state.demand > .none || isExempt {
                    if state.demand > .none { state.demand -= 1 }
                    state.isDraining = true
                    state.delivered += 1
                    return (downstream, state.values.removeFirst())
                }
                guard state.values.isEmpty, let completion = state.completion else { return nil }
                if state.demand == .none, fault == .holdsBackFinish, case .finished = completion { return nil }
                if state.demand == .none, fault == .holdsBackFailure, case .failure = completion { return nil }
                state.downstream = nil
                return (downstream, nil)
            }
            guard let (downstream, value) = step else { return }
            guard let value else { return finish(downstream) }
            let more = downstream.receive(value)
            let hasEnough = state.withLock { state in
                state.isDraining = false
                state.demand += more
                return fault == .endsBeforeCancelling && state.delivered == 3 && state.downstream != nil
            }
            if hasEnough {
                state.withLock { $0.downstream = nil }
                downstream.receive(completion: .finished)
                for upstream in state.withLock({ $0.upstreams }) { upstream.cancel() }
            }
        }
    }

    private func finish(_ downstream: AnySubscriber<Int, TestFailure>) {
        let completion = state.withLock { $0.completion } ?? .finished
        downstream.receive(completion: completion)
        if fault == .completesTwice { downstream.receive(completion: completion) }
    }
}

import Dispatch
import Foundation
import Streams
import Synchronization

/// Records what a subject delivers, with a demand of its own.
final class SubjectProbe<Input: Sendable & Equatable>: Subscriber {
    typealias Failure = Never

    struct State: Sendable {
        var subscription: (any Subscription)?
        var values: [Input] = []
        var completions = 0
        var valuesAfterCompletion = 0
    }

    let state = Mutex(State())
    let demand: Subscribers.Demand
    let onValue: @Sendable (Input) -> Void

    init(demand: Subscribers.Demand = .unlimited, onValue: @escaping @Sendable (Input) -> Void = { _ in }) {
        self.demand = demand
        self.onValue = onValue
    }

    var values: [Input] { state.withLock { $0.values } }
    var completions: Int { state.withLock { $0.completions } }
    var valuesAfterCompletion: Int { state.withLock { $0.valuesAfterCompletion } }
    var subscription: (any Subscription)? { state.withLock { $0.subscription } }

    func receive(subscription: any Subscription) {
        state.withLock { $0.subscription = subscription }
        subscription.request(demand)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        state.withLock { state in
            state.values.append(input)
            if state.completions > 0 { state.valuesAfterCompletion += 1 }
        }
        onValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
        state.withLock { $0.completions += 1 }
    }
}

/// A value that closures on several threads write to.
final class Recorded<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    var value: Value { state.withLock { $0 } }

    func set(_ value: Value) {
        state.withLock { $0 = value }
    }

    func update(_ change: @Sendable (inout Value) -> Void) {
        state.withLock { change(&$0) }
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

/// Tells when it is let go of.
final class ReleaseMarker: Sendable {
    let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }
}

/// Runs closures on threads of their own, all started by a spin barrier, and waits for them.
final class SubjectRace: Sendable {
    private let waiting: Atomic<Int>

    private init(count: Int) {
        waiting = Atomic(count)
    }

    static func run(_ bodies: (@Sendable () -> Void)...) {
        let race = SubjectRace(count: bodies.count)
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            Thread.detachNewThread {
                race.waiting.subtract(1, ordering: .acquiringAndReleasing)
                while race.waiting.load(ordering: .acquiring) > 0 {}
                body()
                group.leave()
            }
        }
        group.wait()
    }
}

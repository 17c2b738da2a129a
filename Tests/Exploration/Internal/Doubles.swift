@testable import Streams

// Unchecked, all of them: of the threads of an execution one has the turn at a time, and turns are handed over by semaphores.

/// Something that one thread at a time touches, as only one has the turn.
final class Shared<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// A gate that several closures have.
final class Held: Sendable {
    let gate: DemandGate
    init(_ gate: consuming DemandGate) { self.gate = gate }
}

/// Counts what is asked of it, from any thread: a publisher's own request and the subscriber's may meet.
final class Upstream: Subscription, @unchecked Sendable {
    private(set) var requested = 0
    private(set) var cancels = 0

    func request(_ demand: Subscribers.Demand) {
        requested += demand.max ?? 100
    }

    func cancel() { cancels += 1 }
}

/// Notes what it is given, and whether that came one at a time.
final class Recorder: Subscriber, @unchecked Sendable {
    let subscription = Shared((any Subscription)?.none)
    private let more: Subscribers.Demand
    private var values: [Int] = []
    private var completions = 0
    private var isBusy = false
    private var overlaps = false

    /// - Parameter more: What it asks for with each value.
    init(returning more: Subscribers.Demand = .none) {
        self.more = more
    }

    func receive(subscription: any Subscription) { self.subscription.value = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
        alone { values.append(input) }
        return more
    }

    func receive(completion: Subscribers.Completion<Never>) {
        alone { completions += 1 }
    }

    private func alone(_ body: () -> Void) {
        if isBusy { overlaps = true }
        isBusy = true
        Execution.point()
        body()
        isBusy = false
    }

    func verdict(values allowed: [[Int]], isComplete: Bool) -> String? {
        if overlaps { return "two signals came at once" }
        if !allowed.contains(values) { return "it received \(values)" }
        return completions == (isComplete ? 1 : 0) ? nil : "it received \(completions) completions"
    }
}

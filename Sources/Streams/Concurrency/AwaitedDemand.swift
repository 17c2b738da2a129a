import Synchronization

/// Demand that a task waits for.
final class AwaitedDemand: Sendable {
    private struct State: Sendable {
        var demand = Subscribers.Demand.none
        var isOver = false
        var waiting: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    func add(_ demand: Subscribers.Demand) {
        change { $0.demand += demand }
    }

    /// There will be no more, and what there is counts for nothing.
    func end() {
        change { $0.isOver = true }
    }

    /// Waits until there is demand and takes one off.
    ///
    /// - Returns: Whether there was any before the end.
    func takeOne() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if let answer = Self.answer(&state) { return answer }
                state.waiting = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state -> (CheckedContinuation<Bool, Never>, Bool)? in
            body(&state)
            guard let waiting = state.waiting, let answer = Self.answer(&state) else { return nil }
            state.waiting = nil
            return (waiting, answer)
        }
        // Resumed outside the lock.
        if let (waiting, answer) = woken { waiting.resume(returning: answer) }
    }

    private static func answer(_ state: inout State) -> Bool? {
        if state.isOver { return false }
        guard state.demand > .none else { return nil }
        state.demand -= 1
        return true
    }
}

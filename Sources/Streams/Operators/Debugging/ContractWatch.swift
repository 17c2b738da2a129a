import Synchronization

/// The subscription of a watched stream: knows what was requested, and reports what a signal does wrong.
final class ContractWatch: Subscription {
    private struct State: Sendable {
        var monitor = ContractMonitor()
        var upstream: (any Subscription)?
    }

    private let state = Mutex(State())
    private let report: @Sendable (ContractViolation) -> Void

    init(report: @escaping @Sendable (ContractViolation) -> Void) {
        self.report = report
    }

    /// Tells the monitor, and reports what that finds.
    func note(_ event: (inout ContractMonitor) -> Void) {
        let new = state.withLock { state in
            let known = state.monitor.violations.count
            event(&state.monitor)
            return state.monitor.violations[known...]
        }
        for violation in new { report(violation) }
    }

    func receive(_ subscription: any Subscription) {
        // A second one is against the contract; the first is let go of outside the lock all the same.
        let old = state.withLock { state in
            defer { state.upstream = subscription }
            return state.upstream
        }
        withExtendedLifetime(old) {}
    }

    /// The stream has ended.
    func finish() {
        let left = state.withLock { $0.upstream.take() }
        withExtendedLifetime(left) {}
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.monitor.request(demand)
            return state.upstream
        }?.request(demand)
    }

    func cancel() {
        state.withLock { $0.upstream.take() }?.cancel()
    }
}

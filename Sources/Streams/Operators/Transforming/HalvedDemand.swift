import Synchronization

/// How many values it takes to deliver a number of them with something between any two.
@usableFromInline
final class HalvedDemand: Sendable {
    private let state = Mutex((requested: Subscribers.Demand.none, asked: 0))

    @usableFromInline
    init() {}

    /// - Returns: How many more values are to be asked for.
    @usableFromInline
    func adding(_ demand: Subscribers.Demand) -> Subscribers.Demand {
        state.withLock { state in
            state.requested += demand
            guard let requested = state.requested.max else { return .unlimited }
            let needed = requested / 2 + 1
            defer { state.asked = needed }
            return .max(needed - state.asked)
        }
    }
}

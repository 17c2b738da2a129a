import Synchronization

/// Runs the actions of several lanes, each lane's in order, in an order drawn from ``Choices``: like threads, but on one
/// thread, deterministic, and such that a failing order can be shrunk.
///
/// Lanes change between actions, and inside one where it calls `pause()`: put that into whatever is called out to, a
/// subscriber's `receive` or an upstream's `request`, and another lane goes on in there, as a second thread would while
/// the first is held up at that point. A lane that is held up goes on only when the inner ones have come back.
public final class Interleaver: Sendable {
    /// A lane: a name and a list of actions.
    public struct Lane: Sendable {
        /// The name of the lane in the trace.
        public let name: String
        /// The actions, in the order in which they run.
        public let actions: [@Sendable () -> Void]

        /// Creates a lane.
        ///
        /// - Parameters:
        ///   - name: The name of the lane in the trace.
        ///   - actions: The actions, in the order in which they run.
        public init(_ name: String, _ actions: [@Sendable () -> Void]) {
            self.name = name
            self.actions = actions
        }
    }

    private struct State: Sendable {
        var choices: Choices
        /// How many actions of others run, on average, where a lane pauses.
        var eagerness: Int
        var lanes: [Lane] = []
        var next: [Int] = []
        var isRunning: [Bool] = []
        var trace: [String] = []
    }

    private let state: Mutex<State>

    /// Creates an interleaver that follows choices.
    ///
    /// - Parameter choices: The choices that the order follows from.
    public init(_ choices: Choices) {
        var choices = choices
        // Were it always one, several actions inside one pause would hardly ever come about.
        let eagerness = choices.element(of: [1, 1, 3, 7])
        state = Mutex(State(choices: choices, eagerness: eagerness))
    }

    /// The choices, with those that were made here.
    public var choices: Choices { state.withLock { $0.choices } }

    /// A description of the order in which actions ran, nested where one ran inside another.
    public var trace: String { state.withLock { $0.trace.joined(separator: " ") } }

    /// Whether an action ran inside another.
    var isNested: Bool {
        var depth = 0
        return trace.contains { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth > 1
        }
    }

    /// Runs all actions of all lanes.
    ///
    /// - Parameter lanes: The lanes.
    public func run(_ lanes: [Lane]) {
        state.withLock { state in
            state.lanes = lanes
            state.next = lanes.map { _ in 0 }
            state.isRunning = lanes.map { _ in false }
        }
        while step(mayStay: false) {}
        // Whatever the actions hold is let go of.
        let done = state.withLock { state in
            defer { state.lanes = [] }
            return state.lanes
        }
        withExtendedLifetime(done) {}
    }

    /// Runs actions of other lanes here, if the choices say so.
    public func pause() {
        while step(mayStay: true) {}
    }

    /// Runs one action of a lane that is not held up.
    ///
    /// - Returns: Whether there was one, and it was wanted.
    private func step(mayStay: Bool) -> Bool {
        let chosen = state.withLock { state -> (lane: Int, action: @Sendable () -> Void)? in
            let ready = state.lanes.indices.filter {
                !state.isRunning[$0] && state.next[$0] < state.lanes[$0].actions.count
            }
            guard !ready.isEmpty else { return nil }
            if mayStay, !state.choices.chance(state.eagerness, of: state.eagerness + 1) { return nil }
            let lane = state.choices.element(of: ready)
            let action = state.lanes[lane].actions[state.next[lane]]
            state.next[lane] += 1
            state.isRunning[lane] = true
            state.trace.append("\(state.lanes[lane].name)(")
            return (lane, action)
        }
        guard let chosen else { return false }
        chosen.action()
        state.withLock { state in
            state.isRunning[chosen.lane] = false
            state.trace.append(")")
        }
        return true
    }
}

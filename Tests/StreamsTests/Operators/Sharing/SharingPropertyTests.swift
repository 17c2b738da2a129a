import StreamsTesting
import Synchronization
import Testing

@testable import Streams

@Suite("Who comes and goes at a shared stream")
struct SharingPropertyTests {
    /// Subscribers that come and go; some do inside the upstream's subscription and cancel.
    private struct Plan: Sendable, CustomStringConvertible {
        enum Action: Sendable {
            case subscribe
            /// Of those that are there, counted round.
            case cancel(Int)
        }

        /// Each with the number of those behind it that are performed inside it, if the upstream is subscribed to or cancelled there.
        var actions: [(action: Action, inside: Int)]

        init(_ choices: inout Choices) {
            actions = choices.array(upTo: 10) { choices in
                (
                    choices.chance(1, of: 2) ? .subscribe : .cancel(choices.int(in: 0...3)),
                    choices.int(in: 0...3)
                )
            }
        }

        var description: String { actions.map { "\($0.action), then inside \($0.inside)" }.joined(separator: "; ") }
    }

    /// A run of a plan, on one thread.
    private final class Run: Sendable {
        private struct State: Sendable {
            var next = 0
            var inside = 0
            var there: [SubjectProbe<Int>] = []
        }

        let upstream = PassthroughSubject<Int, Never>()
        private let plan: Plan
        private let shared: AnyPublisher<Int, Never>
        private let state = Mutex(State())

        init(_ plan: Plan, _ share: (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>) {
            self.plan = plan
            let inside = Recorded<(@Sendable () -> Void)?>(nil)
            shared = share(
                upstream.handleEvents(
                    receiveSubscription: { _ in inside.value?() }, receiveCancel: { inside.value?() }
                ).eraseToAnyPublisher())
            inside.set { [unowned self] in performInside() }
        }

        func perform() {
            while performNext() {}
        }

        /// Those that are there when all is done.
        var there: [SubjectProbe<Int>] { state.withLock { $0.there } }

        private func performInside() {
            for _ in 0..<state.withLock({ $0.inside }) where !performNext() { return }
        }

        /// - Returns: whether there was one.
        private func performNext() -> Bool {
            let next = state.withLock { state -> Plan.Action? in
                guard state.next < plan.actions.count else { return nil }
                let (action, inside) = plan.actions[state.next]
                state.next += 1
                state.inside = inside
                return action
            }
            switch next {
            case nil: return false
            case .subscribe:
                let probe = SubjectProbe<Int>()
                state.withLock { $0.there.append(probe) }
                shared.subscribe(probe)
            case .cancel(let number):
                let gone = state.withLock { state -> SubjectProbe<Int>? in
                    // Who waits for its subscription has nothing to cancel yet.
                    let able = state.there.indices.filter { state.there[$0].subscription != nil }
                    return able.isEmpty ? nil : state.there.remove(at: able[number % able.count])
                }
                gone?.subscription?.cancel()
            }
            return true
        }
    }

    private static let kinds:
        [(name: String, share: @Sendable (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>)] = [
            ("share()", { $0.share().eraseToAnyPublisher() }),
            ("share(replay:)", { $0.share(replay: 1).eraseToAnyPublisher() }),
            ("share(replay:, scope: .forever)", { $0.share(replay: 1, scope: .forever).eraseToAnyPublisher() }),
            ("multicast(_:)", { $0.multicast(subject: PassthroughSubject()).autoconnect().eraseToAnyPublisher() }),
            ("multicast { }", { $0.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher() }),
        ]

    @Test("Everyone who is there gets the next value, wherever others came and went", arguments: kinds.indices)
    func everyoneIsServed(kind: Int) throws {
        let (name, share) = Self.kinds[kind]
        try forAll(name, Gen { Plan(&$0) }, cases: 2_000, describe: \.description) { plan in
            let run = Run(plan, share)
            run.perform()
            run.upstream.send(7)
            for (index, probe) in run.there.enumerated() where probe.values != [7] {
                throw Disproof("number \(index) of \(run.there.count) got \(probe.values)")
            }
            if run.there.isEmpty, name != "share(replay:, scope: .forever)", run.upstream.hasSubscribers {
                throw Disproof("nobody is there, and the upstream is still subscribed to")
            }
        }
    }
}

import Dispatch
import Streams

/// The memory that stays behind when something has been done very often, and each time is over.
struct Growth {
    let name: String
    let run: @Sendable (_ rounds: Int) -> Void

    private static let queue = DispatchQueue(label: "growth")

    private static func cancelled<P: Publisher>(_ publisher: P, then send: () -> Void = {}) {
        let sink = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        send()
        sink.cancel()
    }

    static let all: [Growth] = {
        let subject = PassthroughSubject<Int, Never>()
        let silent = Empty<Int, Never>(completeImmediately: false)
        let published = Published(wrappedValue: 0)
        return [
            Growth(name: "an attempt of retry(backOff:)") { rounds in
                cancelled(
                    Fail<Int, NoMore>(error: NoMore())
                        .retry(rounds, backOff: .constant(.zero), scheduler: ImmediateScheduler.shared)
                        .append(Empty(completeImmediately: false)))
            },
            Growth(name: "a cancelled wait of retry(backOff:)") { rounds in
                for _ in 0..<rounds {
                    cancelled(
                        Fail<Int, NoMore>(error: NoMore())
                            .retry(3, backOff: .constant(.seconds(600)), scheduler: queue))
                }
            },
            Growth(name: "a cancelled timeout of 600 s") { rounds in
                for _ in 0..<rounds { cancelled(silent.timeout(.seconds(600), scheduler: queue)) }
            },
            Growth(name: "a cancelled delay by 600 s") { rounds in
                for round in 0..<rounds {
                    cancelled(subject.delay(for: .seconds(600), scheduler: queue)) { subject.send(round) }
                }
            },
            Growth(name: "a cancelled debounce of 600 s") { rounds in
                for round in 0..<rounds {
                    cancelled(subject.debounce(for: .seconds(600), scheduler: queue)) { subject.send(round) }
                }
            },
            Growth(name: "subscribe(subject), cancelled") { rounds in
                for _ in 0..<rounds { silent.subscribe(subject).cancel() }
            },
            Growth(name: "assign(to: &$property), ended") { rounds in
                for round in 0..<rounds {
                    var projected = published.projectedValue
                    Just(round).assign(to: &projected)
                }
            },
        ]
    }()

    /// Prints how many bytes a round leaves behind.
    static func measure(_ rounds: Int) {
        print("Bytes that stay behind, per round, after \(rounds) rounds:")
        for growth in all {
            growth.run(1_000)
            settle()
            let before = Memory.allocated
            growth.run(rounds)
            settle()
            let left = Double(Memory.allocated - before) / Double(rounds)
            print("    \(growth.name): \((left * 100).rounded() / 100)")
        }
    }

    /// Dispatch takes cancelled timers apart on their queue.
    private static func settle() {
        for _ in 0..<100 { queue.sync {} }
    }
}

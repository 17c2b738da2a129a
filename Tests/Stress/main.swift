import Foundation
import StreamsTesting

// Races by the million, in a release build: `scripts/stress`.
//     stress ROUNDS [NAME] [SEED]

/// One round: what two threads do at the same moment, and what was wrong with the outcome.
struct Bout: Sendable {
    let left: @Sendable () -> Void
    let right: @Sendable () -> Void
    let fault: @Sendable () -> String?
}

let kinds: [(name: String, make: (inout SeededGenerator) -> Bout)] = [
    ("queues-order", Queues.order),
    ("queues-pull", Queues.pull),
    ("queues-pace", Queues.pace),
    ("share-generations", Shares.generations),
    ("slot-loads", Slots.scripted),
    ("slot-pipeline", Slots.standard),
]

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.first.flatMap { Int($0) } ?? 1_000_000
let wanted = arguments.dropFirst().first ?? "all"
let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? .random(in: 0..<1 << 40)
var failures = 0

for kind in kinds where wanted == "all" || wanted == kind.name {
    var broken = 0
    for start in stride(from: 0, to: count, by: 500) {
        // Each round has a seed of its own; whether its race comes out in the same way depends on the threads.
        let seeds = (start..<min(start + 500, count)).map { seed &+ UInt64($0) }
        let bouts = seeds.map { seed in
            var random = SeededGenerator(seed: seed)
            return kind.make(&random)
        }
        duel(bouts.map { ($0.left, $0.right) })
        for (seed, bout) in zip(seeds, bouts) {
            guard let fault = bout.fault() else { continue }
            if broken < 5 { print("\(kind.name), seed \(seed): \(fault)") }
            broken += 1
        }
    }
    print("\(kind.name): \(broken) of \(count) rounds broken (seed \(seed))")
    failures += broken
}
exit(failures == 0 ? 0 : 1)

import ChildProcess
import Dispatch

/// The nanoseconds of processor time that one of `count` steps of a closure takes: what others do on the machine does not count.
func processorTime(per count: Int, _ body: () throws -> Void) rethrows -> Double {
    let before = OwnProcess.cpu()
    try body()
    return (OwnProcess.cpu() - before) * 1e6 / Double(count)
}

/// The best of nine runs after one that warms up: a program that fills the processor's caches meanwhile costs this one twice the time, and
/// says nothing of it.
func leastProcessorTime(per count: Int, _ body: () -> Void) -> Double {
    body()
    return (0..<9).map { _ in processorTime(per: count, body) }.min() ?? 0
}

/// The nanoseconds, by the clock, that one of `count` steps takes each of two threads that run a closure at once: the best of nine runs,
/// likewise.
func nanosecondsOfTwo(per count: Int, _ body: @Sendable (_ thread: Int) -> Void) -> Double {
    let times = (0..<9).map { _ in
        ContinuousClock().measure { DispatchQueue.concurrentPerform(iterations: 2, execute: body) }.nanoseconds
    }
    return (times.min() ?? 0) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

/// Numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

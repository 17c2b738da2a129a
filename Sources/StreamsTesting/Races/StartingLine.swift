import CThread
import Dispatch
import Synchronization

/// Threads of their own for closures that are to run at once.
///
/// Dispatch's threads won't do: where a run of many tests keeps them all busy, `concurrentPerform` runs one closure after
/// the other, and a race has no rival.
final class StartingLine: Sendable {
    private static let wait = 0, go = 1, leave = 2

    private let runners: [@Sendable () -> Void]
    private let arrived = Atomic(0)
    private let call = Atomic(StartingLine.wait)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Runs closures at the same instant and returns when all have returned, the first one on the caller's thread.
    ///
    /// - Parameter runners: The closures.
    /// - Returns: False if the system had no thread for one of them; then none has run.
    static func run(_ runners: [@Sendable () -> Void]) -> Bool {
        guard let first = runners.first else { return true }
        let line = StartingLine(runners)
        let started = (1..<runners.count).prefix { _ in line.startThread() }.count
        let isComplete = started == runners.count - 1
        if isComplete {
            while line.arrived.load(ordering: .acquiring) < started { sched_yield() }
        }
        line.call.store(isComplete ? go : leave, ordering: .releasing)
        if isComplete { first() }
        for _ in 0..<started { line.hasEnded.wait() }
        return isComplete
    }

    private init(_ runners: [@Sendable () -> Void]) {
        self.runners = runners
    }

    private func startThread() -> Bool {
        let argument = Unmanaged.passRetained(self)
        let status = start_thread(
            "race", 0, { Unmanaged<StartingLine>.fromOpaque($0).takeRetainedValue().runNext() }, argument.toOpaque())
        if status != 0 { argument.release() }
        return status == 0
    }

    private func runNext() {
        let place = arrived.add(1, ordering: .acquiringAndReleasing).newValue
        var looks = 0
        while call.load(ordering: .acquiring) == Self.wait {
            looks += 1
            // With more runners than cores the others need this one's.
            if looks.isMultiple(of: 1 << 10) { sched_yield() } else { spin_hint() }
        }
        if call.load(ordering: .relaxed) == Self.go { runners[place]() }
        hasEnded.signal()
    }
}

import Dispatch
import Synchronization

/// Runs closures at the same instant, each on a thread of its own, and returns when all have returned.
///
/// The threads meet at a barrier where they spin, so that they start within nanoseconds of each other.
///
/// - Parameter contenders: The closures to run.
public func race(_ contenders: (@Sendable () -> Void)...) {
    race(contenders)
}

/// Runs closures at the same instant, each on a thread of its own, and returns when all have returned.
///
/// - Parameter contenders: The closures to run.
public func race(_ contenders: [@Sendable () -> Void]) {
    let barrier = RaceBarrier(contenders.count)
    DispatchQueue.concurrentPerform(iterations: contenders.count) { index in
        barrier.meet()
        contenders[index]()
    }
}

private final class RaceBarrier: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) {
        missing = Atomic(count)
    }

    /// Spins for a while; on a machine with fewer cores than contenders the others may be unable to come.
    func meet() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
        var patience = 10_000
        while missing.load(ordering: .acquiring) > 0, patience > 0 { patience -= 1 }
    }
}

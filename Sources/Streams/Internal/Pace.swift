import Synchronization

/// When the next value may go: at once, or an interval after the one before.
@usableFromInline
final class Pace<Time: Strideable & Sendable>: Sendable where Time.Stride: Sendable {
    @usableFromInline let interval: Time.Stride
    /// Whether no value is waiting for its time.
    private let free = Atomic(true)
    private let earliest = Mutex<Time?>(nil)

    @usableFromInline
    init(interval: Time.Stride) {
        self.interval = interval
    }

    @usableFromInline
    var isFree: Bool { free.load(ordering: .acquiring) }

    /// When a value may go; nil when one is waiting already.
    @usableFromInline
    func next(from now: Time) -> Time? {
        guard free.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
        return earliest.withLock { earliest in
            guard let earliest, earliest > now else { return now }
            return earliest
        }
    }

    /// A value goes now.
    @usableFromInline
    func rest(since now: Time) {
        earliest.withLock { $0 = now.advanced(by: interval) }
        free.store(true, ordering: .releasing)
    }
}

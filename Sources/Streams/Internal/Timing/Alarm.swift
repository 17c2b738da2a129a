import Synchronization

/// A deadline that may be moved, and what is called when it has come. In the place of an upstream it is cancelled with a
/// subscription, and lets go of its timer then.
@usableFromInline
final class Alarm<Time: Strideable & Sendable>: Subscription {
    @usableFromInline let deadline = Mutex(Deadline<Time>())
    @usableFromInline let clock: Clockwork<Time>

    @inlinable
    init(_ clock: Clockwork<Time>) {
        self.clock = clock
    }

    @inlinable
    func now() -> Time { clock.now() }

    /// Whether a deadline is still to come.
    @inlinable
    var isSet: Bool { deadline.withLock { $0.time != nil } }

    /// Moves the deadline.
    @inlinable
    func set(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        if deadline.withLock({ $0.set(time) }) { arm(ring) }
    }

    /// Sets the deadline unless there is one, which must not be later.
    @inlinable
    func setIfClear(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        if deadline.withLock({ $0.time == nil && $0.set(time) }) { arm(ring) }
    }

    @inlinable
    func arm(_ ring: @escaping @Sendable () -> Void) {
        guard let arming = deadline.withLock({ $0.arm() }) else { return }
        arming.superseded?.cancel()
        let timer = clock.at(arming.time) { self.check(arming.number, ring) }
        deadline.withLock { $0.keep(timer, arming.number) }?.cancel()
    }

    @inlinable
    func check(_ number: Int, _ ring: @escaping @Sendable () -> Void) {
        let now = now()
        let (finding, done) = deadline.withLock { $0.check(number, now: now) }
        done?.cancel()
        switch finding {
        case .due: ring()
        case .nothing: break
        case .early: arm(ring)
        }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() {
        deadline.withLock { $0.end() }?.cancel()
    }
}

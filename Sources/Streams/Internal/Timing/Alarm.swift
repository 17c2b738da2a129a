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
        settle(time, deadline.withLock { $0.set(time) }, ring)
    }

    /// Sets the deadline unless there is one, which must not be later.
    @inlinable
    func setIfClear(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        settle(time, deadline.withLock { $0.time == nil ? $0.set(time) : .ignored }, ring)
    }

    @inlinable
    func settle(_ time: Time, _ setting: Deadline<Time>.Setting, _ ring: @escaping @Sendable () -> Void) {
        let isArming =
            switch setting {
            case .first: true
            case .armed(let armed, let version): time < armed && deadline.withLock { $0.hasten(ifStill: version) }
            case .ignored: false
            }
        if isArming { arm(ring) }
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
        while true {
            let found = deadline.withLock { $0 }
            let isDue = found.time.map { $0 <= now } ?? false
            let outcome = deadline.withLock { deadline -> (Deadline<Time>.Finding, (any Cancellable)?)? in
                deadline.version == found.version ? deadline.check(number, isDue: isDue) : nil
            }
            guard let (finding, done) = outcome else { continue }
            done?.cancel()
            switch finding {
            case .due: ring()
            case .nothing: break
            case .early: arm(ring)
            }
            return
        }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() {
        deadline.withLock { $0.end() }?.cancel()
    }
}

import CThread
import Synchronization

/// How the owner of the gate delivers.
extension DrainedSubscription {
    /// As the owner: delivers, and leaves.
    @usableFromInline
    func drain() {
        beginDelivery()
        guard let delivered = advance() else { return release() }
        // Mostly there is nothing else to be done: that way is short.
        if !hasErrand {
            owner.store(0, ordering: .relaxed)
            if gate.leaveUnlimited().exchanged { return }
        }
        goOn(after: delivered)
    }

    /// Settles what was delivered, does what was left to be done, and delivers what has come meanwhile; then leaves.
    @inline(never)
    private func goOn(after first: Int) {
        var delivered = first
        while true {
            if let errand = takeErrand() {
                guard gate.stay(delivered: delivered) != .closed else { return release() }
                run(errand)
            } else {
                owner.store(0, ordering: .relaxed)
                switch gate.leave(delivered: delivered) {
                case .left: return
                case .again: beginDelivery()
                case .closed: return release()
                }
            }
            guard let more = advance() else { return release() }
            delivered = more
        }
    }

    /// As the owner, outside of a delivery: delivers, and stays the owner.
    @usableFromInline
    func drainAsHolder() {
        beginDelivery()
        guard let delivered = advance() else { return release() }
        let isUsual = !hasErrand && gate.word.load(ordering: .relaxed) == DemandGate.owned | DemandGate.demandMask
        if isUsual { hold() } else { goOnAsHolder(after: delivered) }
    }

    /// As `goOn(after:)`, but stays the owner.
    @inline(never)
    private func goOnAsHolder(after first: Int) {
        var delivered = first
        while true {
            let errand = takeErrand()
            let outcome = stay(delivered)
            if outcome == .closed { return release() }
            if let errand {
                run(errand)
            } else if outcome == .left {
                return hold()
            }
            guard let more = advance() else { return release() }
            delivered = more
        }
    }

    /// Runs the closure.
    ///
    /// - Returns: How much it has delivered; nil when it is over.
    @inline(__always)
    private func advance() -> Int? {
        work.flatMap { $0._withUnsafeGuaranteedRef { $0.advance(self) } }
    }

    /// Settles what was delivered where that makes a difference to anybody.
    private func stay(_ delivered: Int) -> DemandGate.Leave {
        let word = gate.word.load(ordering: .relaxed)
        if word == DemandGate.owned | DemandGate.demandMask { return .left }
        if delivered == 0, word & (DemandGate.missed | DemandGate.closed) == 0 { return .left }
        return gate.stay(delivered: delivered)
    }

    /// As the owner, from inside the closure, which returns then: leaves something to be done outside of a delivery.
    @usableFromInline
    func leave(_ errand: @escaping () -> Void) {
        work?._withUnsafeGuaranteedRef { $0.errand = errand }
        hasErrand = true
    }

    private func takeErrand() -> (() -> Void)? {
        guard hasErrand else { return nil }
        hasErrand = false
        return work?._withUnsafeGuaranteedRef { $0.errand.take() }
    }

    private func run(_ errand: () -> Void) {
        hold()
        errand()
        beginDelivery()
    }

    /// Becomes the owner outside of a delivery, if there is none: whoever does has to `drain()` in the end.
    func tryHold() -> Bool {
        guard gate.tryEnter() != nil else { return false }
        hold()
        return true
    }

    func hold() {
        owner.store(UInt(current_thread()), ordering: .relaxed)
    }

    private func beginDelivery() {
        owner.store(UInt(current_thread()) | Self.delivering, ordering: .relaxed)
    }
}

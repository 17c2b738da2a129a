import Dispatch
import Streams

/// The one context in which a slot shows what it has.
struct SlotContext: Sendable {
    /// Whether this actor, which the caller runs on, is the context.
    let isActor: @Sendable (any Actor) -> Bool
    /// Runs work in the context.
    let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    static var mainActor: SlotContext {
        SlotContext(isActor: { $0 === MainActor.shared }, schedule: { DispatchQueue.main.async(execute: $0) })
    }

    /// Weak: it is usually the actor that owns the slot.
    static func actor(_ actor: some Actor) -> SlotContext {
        SlotContext(
            isActor: { [weak actor] in $0 === actor },
            schedule: { [weak actor] work in
                guard let actor else { return }
                Task { await actor.run(work) }
            })
    }

    static func scheduler(_ scheduler: some Scheduler) -> SlotContext {
        SlotContext(isActor: { _ in false }, schedule: { scheduler.schedule($0) })
    }
}

extension Actor {
    fileprivate func run(_ work: @Sendable () -> Void) {
        work()
    }
}

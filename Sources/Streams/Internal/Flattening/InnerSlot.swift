import CThread
import Synchronization

/// The place of an inner publisher's subscription.
///
/// Unchecked as its base: `start` and `held` are touched by the thread that subscribes to the publisher alone, which is
/// told by `subscribingThread`; `place`, `queued` and `isFinished` under the lock of the core alone.
@usableFromInline
final class InnerSlot: UpstreamSlot, @unchecked Sendable {
    /// How many values a publisher is asked for that is subscribed to while somebody delivers.
    @usableFromInline static var window: Int { 16 }

    /// How its values are to come.
    @usableFromInline
    enum Start {
        /// As it sends them.
        case free
        /// Inside the subscription, with the gate kept for them.
        case asOwner
        /// A window of them: it is to show whether it sends what it is asked for at once.
        case probing
    }

    /// The thread that is subscribing to it; 0 afterwards.
    @usableFromInline let subscribingThread = Atomic(UInt(current_thread()))
    @exclusivity(unchecked) @usableFromInline var start = Start.free
    /// How many values it has sent meanwhile that had to wait.
    @exclusivity(unchecked) @usableFromInline var held = 0
    /// Where it stands among those that the core knows; nil when it is none of them.
    @exclusivity(unchecked) @usableFromInline var place: Int?
    /// How many of its values are in the core's queue.
    @exclusivity(unchecked) @usableFromInline var queued = 0
    /// Whether its publisher has finished.
    @exclusivity(unchecked) @usableFromInline var isFinished = false

    @usableFromInline
    override init() {}
}

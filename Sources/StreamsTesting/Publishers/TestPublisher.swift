import Streams
import Synchronization

/// A publisher that follows a timeline or the test's orders, and records its subscriptions, their requests and cancels.
///
/// A cold one begins its timeline anew for each subscriber and keeps values without demand until they are requested. A hot
/// one has one timeline for all and drops for each subscriber what that has not requested, which it counts.
public final class TestPublisher<Output: Sendable>: Publisher {
    public typealias Failure = TestFailure

    /// The kind of a test publisher: cold, with a timeline for each subscriber, or hot, with one for all.
    public enum Kind: Sendable, Hashable {
        /// A timeline for each subscriber (cold), or one for all (hot).
        case cold, hot
    }

    /// The kind of the publisher.
    public let kind: Kind

    private let timeline: Timeline<Output>
    private let scheduler: VirtualTimeScheduler?
    private let subscriptions = Mutex<[TestSubscription<Output>]>([])
    private let onCallOut: @Sendable () -> Void
    private let onSignal: @Sendable (Timeline<Output>.Signal) -> Void
    /// Whether a cold one has what its timeline begins with when it is subscribed to, and not when the scheduler runs.
    private let opensAtOnce: Bool

    /// Creates a publisher that follows a timeline.
    ///
    /// - Parameters:
    ///   - kind: The kind of the publisher.
    ///   - timeline: The signals to deliver; an empty timeline for a publisher that the test drives by `send`.
    ///   - scheduler: The scheduler whose clock drives the timeline; nil for a publisher that is only driven by hand.
    ///   - onCallOut: A closure that is called inside each request and cancel.
    ///   - onSignal: A closure that is called before each signal that is delivered.
    public convenience init(
        _ kind: Kind, _ timeline: Timeline<Output> = Timeline(), on scheduler: VirtualTimeScheduler? = nil,
        onCallOut: @escaping @Sendable () -> Void = {},
        onSignal: @escaping @Sendable (Timeline<Output>.Signal) -> Void = { _ in }
    ) {
        self.init(kind, timeline, on: scheduler, opensAtOnce: false, onCallOut: onCallOut, onSignal: onSignal)
    }

    init(
        _ kind: Kind, _ timeline: Timeline<Output>, on scheduler: VirtualTimeScheduler?, opensAtOnce: Bool,
        onCallOut: @escaping @Sendable () -> Void = {}, onSignal: @escaping @Sendable (Timeline<Output>.Signal) -> Void
    ) {
        self.kind = kind
        self.timeline = timeline
        self.scheduler = scheduler
        self.opensAtOnce = opensAtOnce
        self.onCallOut = onCallOut
        self.onSignal = onSignal
        guard kind == .hot, let scheduler else { return }
        for event in timeline.events {
            scheduler.post(at: event.time) { [weak self] in self?.send(event.signal) }
        }
    }

    /// The records of its subscribers, in the order in which they came.
    public var windows: [SubscriptionWindow] {
        subscriptions.withLock { $0 }.map(\.window)
    }

    /// A Boolean value that indicates whether there is a subscriber that has neither cancelled nor seen an end.
    public var isOpen: Bool { subscriptions.withLock { $0 }.contains(where: \.isOpen) }

    /// Whether a subscriber has requested more than has come.
    var isAsked: Bool { subscriptions.withLock { $0 }.contains(where: \.isAsked) }

    /// Sends a signal to every subscriber now.
    ///
    /// - Parameter signal: The signal.
    public func send(_ signal: Timeline<Output>.Signal) {
        for subscription in subscriptions.withLock({ $0 }) { subscription.offer(signal) }
    }

    /// Sends a value to every subscriber now.
    ///
    /// - Parameter value: The value to send.
    public func send(_ value: Output) {
        send(.value(value))
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == TestFailure {
        let subscription = TestSubscription(
            AnySubscriber(subscriber), keeps: kind == .cold, clock: scheduler, onCallOut: onCallOut,
            onSignal: onSignal)
        subscriptions.withLock { $0.append(subscription) }
        subscriber.receive(subscription: subscription)
        guard kind == .cold, let scheduler else { return }
        let start = scheduler.now
        for event in timeline.events {
            if opensAtOnce, event.time == .zero {
                subscription.offer(event.signal)
                continue
            }
            scheduler.post(at: start.advanced(by: VirtualTime.zero.distance(to: event.time))) {
                [weak subscription] in subscription?.offer(event.signal)
            }
        }
    }
}
